// What tests of runs on a cluster share: how the program is run, by whom, and what it leaves
// behind.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/cluster.h"
#include "support/exit_status.h"
#include "support/files.h"

namespace radosload::test {

// Enough for every PG of the run to have operations each second, and little enough to leave the
// processors to the tests beside this one.
constexpr const char* light_load = "200";

class Runs : public testing::Test {
 protected:
  static std::vector<std::string> words(const std::string& pool, const std::string& pattern,
                                        std::vector<std::string> more = {}) {
    std::vector<std::string> all = {"run", "--pool", pool, "--pattern", pattern};
    if (std::find(more.begin(), more.end(), "--warmup") == more.end()) {
      all.insert(all.end(), {"--warmup", "0"});
    }
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
    return {.words = std::move(run), .env = env(), .limit = std::chrono::seconds(120)};
  }
  Finished run(const std::string& pool, const std::string& pattern,
               std::vector<std::string> more = {}) const {
    return test::run(launch(words(pool, pattern, std::move(more))));
  }
  static Finished as(const CephUser& user, const std::string& nspace = "radosload") {
    return radosload_here({"run", "--pool", "ssd", "--namespace", nspace, "--pattern",
                           "randrw4k,size=8M", "--time", "1", "--warmup", "0", "--save", "none",
                           "--id", user.id(), "--keyring", user.keyring()});
  }
  static std::string names_in(const std::string& pool) {
    return test::run({.words = {"rados", "--conf", cluster_conf(), "-p", pool, "--namespace",
                                "radosload", "ls"},
                      .env = {{"CEPH_ARGS", ""}}})
        .out;
  }
  // A run that gets the signal is reported, and leaves nothing.
  void expect_it_ends_in_order(int signal, const char* name) const {
    Process process(
        launch(words("ssd", "randrw4k,size=8M", {"--time", "100", "--rate", light_load})));
    ASSERT_TRUE(process.wait_for_output("    2 ", std::chrono::seconds(40)));
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
