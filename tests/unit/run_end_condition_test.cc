// Each reason to end a pass by itself, in virtual time, and which counts when two are met.
#include <csignal>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/quota.h"
#include "engine/sim_loop.h"
#include "run/end_condition.h"
#include "run/measure.h"
#include "support/sim_run.h"
#include "target/sim_target.h"

namespace radosload::run {
namespace {

using record::EndedBy;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class Unheard final : public record::ProgressListener {
 public:
  void progress(const record::Progress&) override {}
  void note(const std::string&) override {}
};

Second failing_second() {
  return {.length = seconds(1), .failed = 100};
}

// A minute of virtual load, that `prepare` has changed.
PassEnd pass_in_which(const std::function<void(Pass&, base::Interrupts&)>& prepare,
                      const std::string& sim = "latency=const:1ms") {
  base::Interrupts interrupts;
  Unheard listener;
  engine::SimLoop loop;
  target::SimTarget target(*target::parse_sim(sim), 1, {&loop});
  Pass pass{.plan = test::plan_for("randread4k,qd=4", minutes(1)), .name = "measure"};
  prepare(pass, interrupts);
  const Stage stage{.control = &loop, .lanes = {&loop}};
  return *run_pass(std::move(pass), target, stage, interrupts, listener);
}

std::function<observe::HealthWatch::Finding(Time, Time)> alarm_from(Time begin) {
  return [begin](Time now, Time) {
    observe::HealthWatch::Finding finding;
    if (now >= begin) finding.alarm = "1 full osd(s)";
    return finding;
  };
}

TEST(OnlyFailures, FiveSecondsInARow_AreMet) {
  OnlyFailures condition;
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(condition.check(failing_second()));
  const auto met = condition.check(failing_second());
  ASSERT_TRUE(met);
  EXPECT_EQ(met->by, EndedBy::errors);
  EXPECT_TRUE(met->ends);
  EXPECT_EQ(met->reason, "for 5 s operations failed and none succeeded");
}

TEST(OnlyFailures, OneSuccess_BeginsTheFiveSecondsAnew) {
  OnlyFailures condition;
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(condition.check(failing_second()));
  EXPECT_FALSE(condition.check({.length = seconds(1), .completed = 1, .failed = 99}));
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(condition.check(failing_second()));
  EXPECT_TRUE(condition.check(failing_second()));
}

TEST(OnlyFailures, SecondsWithoutAnyAnswer_NeitherCountNorBeginAnew) {
  OnlyFailures condition;
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(condition.check(failing_second()));
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(condition.check({.length = seconds(1)}));
  EXPECT_TRUE(condition.check(failing_second()));
}

TEST(OnlyFailures, FailuresOfTheDrain_AreNotMet) {
  OnlyFailures condition;
  Second drain = failing_second();
  drain.phase = Phase::drain;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(condition.check(drain));
}

TEST(ClusterAlarm, AlarmOfTheCluster_IsMetAtOnceAndAnnounced) {
  ClusterAlarm condition(false);
  EXPECT_FALSE(condition.check({.length = seconds(1)}));
  const auto met = condition.check({.length = seconds(1), .alarm = "1 full osd(s)"});
  ASSERT_TRUE(met);
  EXPECT_EQ(met->by, EndedBy::health);
  EXPECT_EQ(met->reason, "1 full osd(s)");
  EXPECT_TRUE(met->ends);
  EXPECT_TRUE(met->announced);
}

TEST(ClusterAlarm, AlarmWithPushThrough_IsAnnouncedAndDoesNotEndThePass) {
  ClusterAlarm condition(true);
  const auto met = condition.check({.length = seconds(1), .alarm = "1 full osd(s)"});
  ASSERT_TRUE(met);
  EXPECT_FALSE(met->ends);
  EXPECT_TRUE(met->announced);
}

TEST(Signalled, Signal_IsMetUnderItsName) {
  Signalled condition;
  EXPECT_FALSE(condition.check({.length = seconds(1)}));
  EXPECT_EQ(condition.check({.signal = SIGINT})->by, EndedBy::sigint);
  EXPECT_EQ(condition.check({.signal = SIGTERM})->by, EndedBy::sigterm);
  EXPECT_EQ(condition.check({.signal = SIGHUP})->by, EndedBy::sighup);
}

TEST(EndConditions, ConditionThatIsMet_IsReportedOnce) {
  EndConditions conditions = end_conditions();
  const Second trouble{.length = seconds(1), .alarm = "1 full osd(s)"};
  EXPECT_EQ(conditions.check(trouble).size(), 1U);
  EXPECT_TRUE(conditions.check(trouble).empty());
  ASSERT_EQ(conditions.met().size(), 1U);
  EXPECT_EQ(conditions.met()[0].by, EndedBy::health);
}

TEST(EndConditions, TwoMetByTheSameSecond_ComeInTheOrderOfTheList) {
  EndConditions conditions = end_conditions();
  Second second = failing_second();
  second.signal = SIGINT;
  second.alarm = "1 full osd(s)";
  second.length = seconds(5);
  const auto met = conditions.check(second);
  ASSERT_EQ(met.size(), 3U);
  EXPECT_EQ(met[0].by, EndedBy::errors);
  EXPECT_EQ(met[1].by, EndedBy::health);
  EXPECT_EQ(met[2].by, EndedBy::sigint);
}

TEST(EndedByFirst, TheFirstReasonStays_ButForAStalledPrefill) {
  EXPECT_EQ(record::first_end(EndedBy::nothing, EndedBy::time), EndedBy::time);
  EXPECT_EQ(record::first_end(EndedBy::time, EndedBy::sigint), EndedBy::time);
  EXPECT_EQ(record::first_end(EndedBy::sigint, EndedBy::health), EndedBy::sigint);
  EXPECT_EQ(record::first_end(EndedBy::exhausted, EndedBy::stalled), EndedBy::stalled);
}

TEST(Quota, Operations_AreUsedUpAfterExactlySoMany) {
  engine::Quota quota({.time = Time(0), .ops = 3, .bytes = {}});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(quota.consume(4096), EndedBy::nothing);
  EXPECT_EQ(quota.consume(4096), EndedBy::ops);
}

TEST(Quota, Bytes_AreUsedUpByTheOperationThatReachesThem) {
  engine::Quota quota({.time = Time(0), .ops = 0, .bytes = kib(6)});
  EXPECT_EQ(quota.consume(4096), EndedBy::nothing);
  EXPECT_EQ(quota.consume(4096), EndedBy::nothing) << "2 KiB are left, and it takes what it needs";
  EXPECT_EQ(quota.consume(4096), EndedBy::bytes);
}

TEST(Quota, WithoutLimits_IsNeverUsedUp) {
  engine::Quota quota({.time = seconds(60), .ops = 0, .bytes = {}});
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(quota.consume(1U << 30U), EndedBy::nothing);
}

TEST(PassEnds, AlarmAfterTenSeconds_EndsThePassThenWithItsReason) {
  const PassEnd end =
      pass_in_which([](Pass& pass, auto&) { pass.health = alarm_from(seconds(10)); });
  EXPECT_EQ(end.end.ended_by, EndedBy::health);
  EXPECT_EQ(end.end.measured, seconds(10));
  EXPECT_EQ(end.reason(), "1 full osd(s)");
}

TEST(PassEnds, SignalBetweenTwoSeconds_EndsThePassAtThatMoment) {
  const PassEnd end = pass_in_which([](Pass& pass, base::Interrupts& interrupts) {
    pass.on_interval = [&interrupts, n = 0](const record::Interval&) mutable {
      if (++n == 3) interrupts.notice(SIGTERM);
    };
  });
  EXPECT_EQ(end.end.ended_by, EndedBy::sigterm);
  EXPECT_EQ(end.end.measured, seconds(3));
  EXPECT_EQ(end.reason(), "");
}

TEST(PassEnds, TimeLimit_IsNotAnEndCondition) {
  const PassEnd end = pass_in_which([](Pass&, auto&) {});
  EXPECT_EQ(end.end.ended_by, EndedBy::time);
  EXPECT_EQ(end.end.measured, minutes(1));
  EXPECT_TRUE(end.met.empty());
}

TEST(PassEnds, OperationsThatAreUsedUp_EndThePassAtTheLastOfThem) {
  const PassEnd end = pass_in_which([](Pass& pass, auto&) { pass.plan.extent.ops = 1000; });
  EXPECT_EQ(end.end.ended_by, EndedBy::ops);
  EXPECT_EQ(end.measured.submitted, 1000U);
  EXPECT_EQ(end.end.measured, milliseconds(250));
}

TEST(PassEnds, FailuresAndAlarmInTheSameSecond_TheFailuresCount) {
  const PassEnd end = pass_in_which([](Pass& pass, auto&) { pass.health = alarm_from(seconds(5)); },
                                    "latency=const:1ms,error=EIO:1");
  EXPECT_EQ(end.end.ended_by, EndedBy::errors);
  ASSERT_EQ(end.met.size(), 2U) << "the record warns of the alarm as well";
  EXPECT_EQ(end.met[1].reason, "1 full osd(s)");
}

TEST(PassHealth, IsAskedWithTheAgeOfTheOldestOperationInFlight) {
  std::vector<Time> ages;
  pass_in_which(
      [&](Pass& pass, auto&) {
        pass.plan.extent.time = seconds(4);
        pass.health = [&ages](Time, Time oldest) {
          ages.push_back(oldest);
          return observe::HealthWatch::Finding();
        };
      },
      "latency=const:2500ms");
  ASSERT_GE(ages.size(), 3U);
  EXPECT_EQ(ages[0], seconds(1));
  EXPECT_EQ(ages[1], seconds(2));
  EXPECT_EQ(ages[2], milliseconds(500));
}

TEST(PassEnds, AlarmDuringTheDrain_IsMetButTheTimeCounts) {
  const PassEnd end = pass_in_which(
      [](Pass& pass, auto&) {
        pass.plan.extent.time = seconds(2);
        pass.health = alarm_from(seconds(4));
      },
      "latency=const:5s");
  EXPECT_EQ(end.end.ended_by, EndedBy::time);
  ASSERT_EQ(end.met.size(), 1U);
  EXPECT_EQ(end.met[0].by, EndedBy::health);
}

TEST(SessionEnds, CtrlCAtAnotherMember_CountsAsThatSignal) {
  std::string reason;
  CalledOff called_off([&] { return reason; });
  EXPECT_FALSE(called_off.check({.length = seconds(1)}));
  reason = "SIGTERM at pid 7 on b";
  const auto ending = called_off.check({.length = seconds(1)});
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->by, EndedBy::sigterm);
  EXPECT_EQ(ending->reason, "SIGTERM at pid 7 on b");
}

TEST(SessionEnds, MemberThatWasGivenUp_EndsByItsSession) {
  CalledOff called_off([] { return std::string("no sign of life for 25 s"); });
  EXPECT_EQ(called_off.check({.length = seconds(1)})->by, EndedBy::session);
}

TEST(SessionEnds, LoadOfASession_BeginsAtTheAgreedMoment) {
  const auto end = pass_in_which([](Pass& pass, base::Interrupts&) {
    pass.begin_at = [] { return std::optional(std::chrono::steady_clock::now() + minutes(10)); };
  });
  EXPECT_GT(end.end.measure_start, minutes(9));
  EXPECT_EQ(end.end.measured, minutes(1));
}

}  // namespace
}  // namespace radosload::run
