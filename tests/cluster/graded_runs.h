// What the tests of grades share: a run that is disturbed after two seconds, and its grade.
#pragma once

#include <chrono>
#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cluster/hard_times.h"
#include "support/eventually.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {

// A PG of the pool that this OSD holds alone.
inline std::string pg_on(const std::string& pool, int osd) {
  const Finished done = ceph({"pg", "ls-by-pool", pool, "--format", "json"});
  const auto answer = nlohmann::json::parse(done.out);
  for (const nlohmann::json& pg : answer["pg_stats"]) {
    if (pg["acting"] == nlohmann::json::array({osd})) return pg["pgid"].get<std::string>();
  }
  throw std::runtime_error("no PG of the pool is on that OSD alone");
}

// Whether this OSD alone holds it.
inline bool pg_on(const std::string& pool, int osd, const std::string& pg) {
  const Finished done = ceph({"pg", "ls-by-pool", pool, "--format", "json"});
  const auto answer = nlohmann::json::parse(done.out);
  for (const nlohmann::json& one : answer["pg_stats"]) {
    if (one["pgid"] == pg) return one["acting"] == nlohmann::json::array({osd});
  }
  return false;
}

class GradedRuns : public HardTimes {
 protected:
  void SetUp() override {
    if (!on_lab()) GTEST_SKIP() << "only the lab may be disturbed";
    await_clean();
  }

  static Launch limited(Launch launch) {
    launch.limit = std::chrono::seconds(60);
    return launch;
  }
  // A run of so many seconds, and what is done after two of them.
  template <typename Disturb>
  nlohmann::json grade_while(const std::string& pool, const std::string& pattern,
                             const std::string& time, const Disturb& disturb,
                             std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--time", time, "--push-through"});
    Process process(limited(launch(words(pool, pattern, std::move(more)))));
    EXPECT_TRUE(process.wait_for_output("    2 ", std::chrono::seconds(30)));
    disturb();
    const Finished done = process.wait();
    EXPECT_FALSE(done.timed_out) << done.err;
    return grade_of_last(done);
  }
  // A run that goes on until `seen` says that the disturbance has begun, and a few seconds longer,
  // so that the run has looked at the cluster meanwhile; then Ctrl-C ends it.
  template <typename Disturb, typename Seen>
  nlohmann::json grade_until(const std::string& pool, const std::string& pattern,
                             const Disturb& disturb, const Seen& seen) {
    constexpr std::chrono::seconds longer(5);
    Process process(launch(words(pool, pattern, {"--time", "50", "--push-through"})));
    EXPECT_TRUE(process.wait_for_output("    2 ", std::chrono::seconds(30)));
    disturb();
    EXPECT_TRUE(eventually(seen, std::chrono::seconds(40)));
    std::this_thread::sleep_for(longer);
    process.signal(SIGINT);
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
  static void must(const std::vector<std::string>& command) {
    const Finished done = ceph(command);
    EXPECT_EQ(done.status, 0) << done.err;
  }
};

}  // namespace radosload::test
