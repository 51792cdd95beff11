#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "timers_support.h"

namespace radosload::timers {
namespace {

using ::testing::ElementsAre;
using testing::TimedWorld;

TEST(TimedSession, EveryMeasurementIsHandedOnBeforeItBeginsAndAfterIt) {
  TimedWorld world;
  world.job_answer = std::string(R"({"elapsed_time": 2})");
  std::vector<std::pair<std::size_t, std::size_t>> seen;  // rows, and jobs begun until then
  const Session session = run_turns(
      world.world(), {.timer = Timer::compact}, {{.osd = 3}, {.osd = 4}, {.osd = 5}},
      [&](const Session& so_far) { seen.emplace_back(so_far.rows.size(), world.jobs.size()); });
  EXPECT_TRUE(session.complete());
  EXPECT_THAT(seen, ElementsAre(std::pair(1U, 0U), std::pair(1U, 1U), std::pair(2U, 1U),
                                std::pair(2U, 2U), std::pair(3U, 2U), std::pair(3U, 3U)));
}

TEST(TimedSession, KilledMeasurement_HasARowMarkedAsCutOff) {
  TimedWorld world;
  world.job_answer = std::string(R"({"elapsed_time": 2})");
  Session saved;  // what would be left after a kill -9 in the second one
  run_turns(world.world(), {.timer = Timer::compact}, {{.osd = 3}, {.osd = 4, .round = 2}},
            [&](const Session& so_far) {
              if (world.jobs.size() == 1) saved = so_far;
            });
  ASSERT_EQ(saved.rows.size(), 2U);
  EXPECT_EQ(saved.rows[0].failure, "");
  EXPECT_EQ(saved.rows[1].failure, cut_off);
  EXPECT_EQ(saved.rows[1].osd, 4);
  EXPECT_EQ(saved.rows[1].round, 2U);
  EXPECT_FALSE(saved.rows[1].compact);
  EXPECT_FALSE(saved.complete());
}

TEST(TimedSession, AMeasurementThatFailedOrWasInterruptedIsHandedOnToo) {
  TimedWorld world;
  world.job_answer = fail({.reason = "no answer"});
  std::vector<std::string> failures;
  const auto note = [&](const Session& so_far) { failures.push_back(so_far.rows.back().failure); };
  run_turns(world.world(), {.timer = Timer::compact}, {{.osd = 3}}, note);
  world.interrupted_at = world.cluster.now + std::chrono::seconds(1);
  world.job_takes = std::chrono::seconds(5);
  run_turns(world.world(), {.timer = Timer::compact}, {{.osd = 3}, {.osd = 4}}, note);
  EXPECT_THAT(failures, ElementsAre(cut_off, "no answer", cut_off,
                                    "interrupted; osd.3 continues its compaction"));
}

}  // namespace
}  // namespace radosload::timers
