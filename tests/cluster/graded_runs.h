// What the tests of grades share: a run that is disturbed after two seconds, and its grade.
#pragma once

#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/runs.h"
#include "support/ceph_json.h"
#include "support/settled.h"
#include "support/wait_for.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

// The PGs of the pool that this OSD holds alone.
inline std::vector<std::string> pgs_on(const std::string& pool, int osd) {
  nlohmann::json answer = ceph_json({"pg", "ls-by-pool", pool});
  std::vector<std::string> found;
  for (const nlohmann::json& pg : answer["pg_stats"]) {
    if (pg["acting"] == nlohmann::json::array({osd})) found.push_back(pg["pgid"]);
  }
  return found;
}

// The first of them.
inline std::string pg_on(const std::string& pool, int osd) {
  const auto found = pgs_on(pool, osd);
  if (found.empty()) throw std::runtime_error("no PG of the pool is on that OSD alone");
  return found.front();
}

// Waits until this OSD alone holds it.
inline testing::AssertionResult await_pg_on(const std::string& pool, int osd,
                                            const std::string& pg) {
  const auto look = [&] {
    const auto found = pgs_on(pool, osd);
    return Seen(std::find(found.begin(), found.end(), pg) != found.end(),
                "it holds " + testing::PrintToString(found));
  };
  return wait_for("PG " + pg + " on osd." + std::to_string(osd), look, patience, now_and_then);
}

class GradedRuns : public Runs {
 protected:
  void SetUp() override {
    if (!on_lab()) GTEST_SKIP() << "only the lab may be disturbed";
    await_clean();
  }

  // Disturbs a run of any length in its third second. Then the run continues for some seconds, in
  // each of which it checks the cluster, and Ctrl-C ends it: a disturbance that takes long, because
  // the machine is busy, would outlast a run of fixed length.
  template <typename Disturb>
  static void disturb_and_end(Process& process, const Disturb& disturb) {
    ASSERT_TRUE(await_second(process, 2));
    disturb();
    EXPECT_TRUE(await_more_seconds(process, 5));
    process.signal(SIGINT);
  }
  template <typename Disturb>
  nlohmann::json grade_while(const std::string& pool, const std::string& pattern,
                             const Disturb& disturb, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--rate", light_load, "--push-through"});
    Process process(launch(words(pool, pattern, until_ended(std::move(more)))));
    disturb_and_end(process, disturb);
    const Finished done = process.wait();
    EXPECT_FALSE(done.timed_out) << done.err;
    return grade_of_last(done);
  }
  // As it was saved.
  nlohmann::json last_record(const Finished& done) const {
    const Finished shown = test::run(launch({"report", "last", "--format", "json"}));
    EXPECT_EQ(shown.status, 0) << shown.err << done.err << done.out;
    return shown.status == 0 ? nlohmann::json::parse(shown.out) : nlohmann::json::object();
  }
  nlohmann::json grade_of_last(const Finished& done) const { return last_record(done)["grade"]; }
  static std::vector<std::string> reasons(const nlohmann::json& grade) {
    return grade["reasons"].get<std::vector<std::string>>();
  }
  // Puts the PG of an unreplicated pool, which this OSD holds, on another one.
  static void move_pg(const std::string& pg, int from, int to) {
    must({"osd", "pg-upmap-items", pg, std::to_string(from), std::to_string(to)});
  }
  // Waits until it is there: the next test would see its objects recover.
  static void move_back(const std::string& pool, const std::string& pg, int from) {
    must({"osd", "rm-pg-upmap-items", pg});
    EXPECT_TRUE(await_pg_on(pool, from, pg));
    await_clean();
  }
  static void must(const std::vector<std::string>& command) {
    const Finished done = ceph(command);
    EXPECT_EQ(done.status, 0) << done.err;
  }
};

}  // namespace radosload::test
