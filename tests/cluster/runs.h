// What tests of runs on a cluster share: how the program is run, by whom, and what it leaves
// behind.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/live_rows.h"
#include "support/cluster.h"
#include "support/exit_status.h"
#include "support/files.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

// Enough for every PG of the run to have operations each second, and little enough to leave the
// processors to the tests beside this one.
constexpr const char* light_load = "200";

// Time: longer than any test waits. For runs that the test ends: by Ctrl-C once it has seen what it
// waits for, or by what it does to the cluster.
inline std::vector<std::string> until_ended(std::vector<std::string> more = {}) {
  more.insert(more.end(), {"--time", "1h"});
  return more;
}

// Time: no limit. For runs of which no test asks how long they take: they end after some
// operations, on a slow cluster later.
inline std::vector<std::string> few_operations(std::vector<std::string> more = {},
                                               const char* operations = "200") {
  more.insert(more.end(), {"--time", "0", "--ops", operations});
  return more;
}

inline bool has(const std::vector<std::string>& words, const char* option) {
  return std::find(words.begin(), words.end(), option) != words.end();
}

// Time: either option is a length that the test chose; else the run is short.
inline std::vector<std::string> with_length(std::vector<std::string> more,
                                            const char* operations = "200") {
  const bool chosen = has(more, "--time") || has(more, "--ops");
  return chosen ? more : few_operations(std::move(more), operations);
}

// On a machine that is busy with other things a run may be disturbed by nothing but that.
inline testing::AssertionResult is_clean(const nlohmann::json& grade) {
  if (grade["value"] == "clean") return testing::AssertionSuccess();
  if (grade["value"] == "contaminated") {
    for (const nlohmann::json& reason : grade["reasons"]) {
      if (reason.get<std::string>().starts_with("this client ")) return testing::AssertionSuccess();
    }
  }
  return testing::AssertionFailure() << grade;
}

class Runs : public testing::Test {
 protected:
  // A run is short unless `more` says how long it is.
  static std::vector<std::string> words(const std::string& pool, const std::string& pattern,
                                        std::vector<std::string> more = {}) {
    std::vector<std::string> all = {"run", "--pool", pool, "--pattern", pattern};
    if (!has(more, "--warmup")) all.insert(all.end(), {"--warmup", "0"});
    more = with_length(std::move(more));
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::map<std::string, std::string> env() const {
    return {{"CEPH_CONF", cluster_conf()},
            {"CEPH_ARGS", ""},
            {"XDG_STATE_HOME", m_state.path().string()}};
  }
  Launch launch(std::vector<std::string> run) const {
    run.insert(run.begin(), radosload_path());
    return {.words = std::move(run), .env = env()};
  }
  Finished run(const std::string& pool, const std::string& pattern,
               std::vector<std::string> more = {}) const {
    return test::run(launch(words(pool, pattern, std::move(more))));
  }
  static Finished as(const CephUser& user, const std::string& nspace = "radosload") {
    return radosload_here(words(
        "ssd", "randrw4k,size=8M",
        {"--namespace", nspace, "--save", "none", "--id", user.id(), "--keyring", user.keyring()}));
  }
  static std::string names_in(const std::string& pool) {
    return test::run({.words = {"rados", "--conf", cluster_conf(), "-p", pool, "--namespace",
                                "radosload", "ls"},
                      .env = {{"CEPH_ARGS", ""}}})
        .out;
  }
  // A run that gets the signal is reported, and leaves nothing.
  void expect_it_ends_in_order(int signal, const char* name) const {
    Process process(launch(words("ssd", "randrw4k,size=8M", until_ended({"--rate", light_load}))));
    ASSERT_TRUE(await_second(process, 2));
    process.signal(signal);
    const Finished done = process.wait();
    EXPECT_EQ(done.status, interrupted) << done.err;
    EXPECT_THAT(done.out, testing::HasSubstr(name));
    EXPECT_EQ(names_in("ssd"), "");
  }
  // What a run could not remove, because OSDs were gone, it says; and cleanup removes it later.
  void expect_cleanup_finds_the_rest(const std::string& pool, const Finished& done) const {
    if (names_in(pool).empty()) return;
    EXPECT_THAT(done.err, testing::HasSubstr("radosload cleanup --pool " + pool));
    const Finished cleanup = test::run(launch({"cleanup", "--yes", "--pool", pool}));
    EXPECT_EQ(cleanup.status, 0) << cleanup.err;
    EXPECT_EQ(names_in(pool), "");
  }

  TemporaryFolder m_state;
};

}  // namespace radosload::test
