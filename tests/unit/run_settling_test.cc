// When a warm-up of no fixed length ends: the rule on scripted seconds, and passes in virtual time.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "engine/sim_loop.h"
#include "run/measure.h"
#include "run/settling.h"
#include "support/sim_run.h"
#include "target/sim_target.h"

namespace radosload::run {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::HasSubstr;

record::Interval second_of(std::uint64_t ops, Time response = milliseconds(1),
                           Time length = seconds(1)) {
  record::Interval interval;
  interval.length = length;
  interval.unmeasured.completed = ops;
  interval.unmeasured_time = response * static_cast<std::int64_t>(ops);
  return interval;
}

// The second in which the load was found steady; 0: never.
int settled_in(Settling settling, const std::vector<record::Interval>& seconds_given) {
  int second = 0;
  for (const record::Interval& interval : seconds_given) {
    settling.add(interval);
    ++second;
    if (settling.steady()) return second;
  }
  return 0;
}

TEST(Settling, RisingThroughput_SettlesFiveSecondsAfterItIsLevel) {
  std::vector<record::Interval> load;
  for (const std::uint64_t ops : {100U, 400U, 700U, 1000U, 1010U, 990U, 1000U, 1005U, 1000U}) {
    load.push_back(second_of(ops));
  }
  EXPECT_EQ(settled_in(Settling(false), load), 8);
}

TEST(Settling, SingleSecondsAreUneven_GroupsOfThemAreJudged) {
  std::vector<record::Interval> load;
  for (int i = 0; i < 20; ++i) load.push_back(second_of(i % 2 == 0 ? 60 : 100));
  EXPECT_EQ(settled_in(Settling(false), load), 10);
}

TEST(Settling, OpenLoopThatFallsBehind_IsNotSteadyThoughThroughputIs) {
  std::vector<record::Interval> load;
  for (int i = 1; i <= 40; ++i) load.push_back(second_of(1000, milliseconds(100) * i));
  Settling settling(true);
  for (const record::Interval& interval : load) settling.add(interval);
  EXPECT_FALSE(settling.steady());
  EXPECT_THAT(settling.trouble(), HasSubstr("operations come faster than they are answered"));
  EXPECT_EQ(settled_in(Settling(false), load), 5);
}

// 200 of 250 a second: what is answered at a time was due in the first four fifths of it. The trend
// within five seconds is below any limit after a while.
TEST(Settling, OpenLoopThatFallsBehind_IsNeverSteady) {
  std::vector<record::Interval> load;
  for (int i = 1; i <= 600; ++i) load.push_back(second_of(200, milliseconds(200) * i));
  EXPECT_EQ(settled_in(Settling(true), load), 0);
}

TEST(Settling, OpenLoopWhoseTimesRiseAndThenStay_IsSteadyAfterTwiceTheTime) {
  std::vector<record::Interval> load;
  for (int i = 1; i <= 60; ++i) load.push_back(second_of(200, milliseconds(10) * std::min(i, 20)));
  const int settled = settled_in(Settling(true), load);
  EXPECT_GT(settled, 20);
  EXPECT_LE(settled, 40);
}

TEST(Settling, NothingFinishes_IsNotSteady) {
  Settling settling(false);
  for (int i = 0; i < 60; ++i) settling.add(second_of(0));
  EXPECT_FALSE(settling.steady());
  EXPECT_EQ(settling.trouble(), "operations did not finish in each second");
}

TEST(Settling, PieceOfASecondIsNotJudged) {
  Settling settling(false);
  for (int i = 0; i < 4; ++i) settling.add(second_of(1000));
  settling.add(second_of(100, milliseconds(1), milliseconds(100)));
  EXPECT_FALSE(settling.steady());
  settling.add(second_of(1000));
  EXPECT_TRUE(settling.steady());
}

class Quiet final : public record::ProgressListener {
 public:
  void progress(const record::Progress& /*progress*/) override {}
  void note(const std::string& /*text*/) override {}
};

struct Warmed {
  PassEnd end;
  std::vector<record::Warmup> told;
  std::vector<record::Event> events;
};

Warmed pass_that_settles(const std::string& sim, const std::string& pattern) {
  base::Interrupts interrupts;
  Quiet quiet;
  engine::SimLoop loop;
  target::SimTarget target(*target::parse_sim(sim), 1, {&loop});
  Warmed warmed;
  Pass pass{.plan = test::plan_for(pattern, seconds(10)), .name = "measure"};
  pass.plan.warmup = minutes(1);
  pass.settling.emplace(false);
  pass.on_warm = [&warmed](const record::Warmup& warmup) { warmed.told.push_back(warmup); };
  pass.on_event = [&warmed](const record::Event& event) { warmed.events.push_back(event); };
  const Stage stage{.control = &loop, .lanes = {&loop}};
  warmed.end = *run_pass(std::move(pass), target, stage, interrupts, quiet);
  return warmed;
}

TEST(WarmupOfAPass, SteadyLoad_IsMeasuredAfterFiveSecondsInFull) {
  const Warmed warmed = pass_that_settles("latency=const:1ms", "randread4k,qd=4");
  ASSERT_EQ(warmed.told.size(), 1U);
  EXPECT_EQ(warmed.told[0], (record::Warmup{.length = seconds(5), .settled = true, .trouble = ""}));
  EXPECT_EQ(warmed.end.end.measured, seconds(10));
  // The load is found steady after the answers of the last second: the next four belong to it.
  EXPECT_EQ(warmed.end.unmeasured.completed, 20'004U);
  EXPECT_EQ(warmed.end.measured.completed, 39'996U);
  EXPECT_EQ(warmed.events.back().text, "drain");
}

TEST(WarmupOfAPass, LoadThatNeverSettles_IsMeasuredAfterItsLimit) {
  const Warmed warmed = pass_that_settles("latency=exp:700ms", "randread4k,qd=1");
  ASSERT_EQ(warmed.told.size(), 1U);
  EXPECT_EQ(warmed.told[0].length, minutes(1));
  EXPECT_FALSE(warmed.told[0].settled);
  EXPECT_THAT(warmed.told[0].trouble, HasSubstr("throughput still varied by"));
  EXPECT_EQ(warmed.end.end.measured, seconds(10));
}

TEST(WarmupOfAPass, FoldedEventsGetTheirRealTimes) {
  record::RunHeader header;
  header.plan.warmup = seconds(60);
  header.plan.warmup_auto = true;
  record::Folder folder(header);
  folder.add(record::Event{.at = seconds(-60), .kind = "phase", .text = "warm-up"});
  folder.add(record::Event{.at = seconds(-57), .kind = "mark", .text = "x"});
  folder.add(record::Warmup{.length = seconds(7), .settled = true, .trouble = ""});
  folder.add(record::Event{.at = Time(0), .kind = "phase", .text = "measure"});
  const auto& events = folder.record().events;
  EXPECT_EQ(events[0].at, seconds(-7));
  EXPECT_EQ(events[1].at, seconds(-4));
  EXPECT_EQ(events[2].at, Time(0));
  EXPECT_TRUE(folder.record().warmup);
}

}  // namespace
}  // namespace radosload::run
