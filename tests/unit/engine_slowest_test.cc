// The slowest operations of a run are kept one by one, at one comparison for each operation.
#include <algorithm>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "engine/slowest.h"
#include "record/run_record.h"
#include "support/sim_run.h"

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::plan_for;
using test::run_virtual;
using test::SimRun;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Slot ended_slot(Time intended, Time completed, Phase phase = Phase::measure) {
  Slot slot;
  slot.op.object = static_cast<std::uint64_t>(intended.count());
  slot.intended = intended;
  slot.submitted = intended;
  slot.completed = completed;
  slot.phase = phase;
  return slot;
}

std::vector<Time> responses(const std::vector<SlowOp>& ops) {
  std::vector<Time> times;
  times.reserve(ops.size());
  for (const SlowOp& op : ops) times.push_back(op.response());
  return times;
}

RC_GTEST_PROP(Slowest, OfSeveralLanes_AreThoseOfTheSortedTrace, ()) {
  const auto most = *rc::gen::inRange<std::size_t>(0, 12);
  const auto lanes = *rc::gen::inRange<std::size_t>(1, 4);
  std::vector<Slowest> kept(lanes, Slowest(most));
  std::vector<Time> trace;
  const int operations = *rc::gen::inRange(0, 200);
  for (int i = 0; i < operations; ++i) {
    const Phase phase = *rc::gen::weightedElement<Phase>({{5, Phase::measure}, {1, Phase::warmup}});
    const Time took(*rc::gen::inRange(0, 50));  // equal ones occur
    kept[*rc::gen::inRange<std::size_t>(0, lanes)].offer(
        ended_slot(Time(i), Time(i) + took, phase));
    if (phase == Phase::measure) trace.push_back(took);
  }
  std::sort(trace.rbegin(), trace.rend());
  trace.resize(std::min(trace.size(), most));
  std::vector<SlowOp> all;
  for (const Slowest& lane : kept) all.insert(all.end(), lane.kept().begin(), lane.kept().end());
  RC_ASSERT(responses(slowest_of(all, most)) == trace);
}

TEST(Slowest, EqualOnes_TheFirstSentIsFirst) {
  Slowest kept(2);
  kept.offer(ended_slot(Time(5), Time(15)));
  kept.offer(ended_slot(Time(3), Time(13)));
  kept.offer(ended_slot(Time(9), Time(19)));
  const auto ops = slowest_of(kept.kept(), 2);
  ASSERT_THAT(ops, SizeIs(2));
  EXPECT_EQ(ops[0].submitted, Time(3));
  EXPECT_EQ(ops[1].submitted, Time(5));
}

EnginePlan keeping(const std::string& pattern, std::size_t most) {
  EnginePlan plan = plan_for(pattern, seconds(10));
  plan.slowest = most;
  return plan;
}

TEST(SlowestOfARun, AreThoseOfAllLanesInOrder) {
  EnginePlan plan = plan_for("randrw4k,qd=16", seconds(10), 4);
  plan.slowest = 10;
  const SimRun run = run_virtual(plan, "latency=exp:1ms,osds=3", 4);
  ASSERT_THAT(run.end.slowest, SizeIs(10));
  const record::Cell all = record::total_of(run.total.kinds);
  EXPECT_EQ(run.end.slowest.front().response(),
            Time(static_cast<Time::rep>(all.latency.response().max())));
  EXPECT_TRUE(std::is_sorted(
      run.end.slowest.begin(), run.end.slowest.end(),
      [](const SlowOp& one, const SlowOp& other) { return one.response() > other.response(); }));
  for (const SlowOp& op : run.end.slowest) {
    EXPECT_GE(op.submitted, run.end.measure_start);
    EXPECT_GE(op.op.osd, 0) << "the OSD that the simulation has put it on";
    EXPECT_EQ(op.op.length, 4096U);
  }
}

TEST(SlowestOfARun, WarmUpStalls_NoneOfItsOperationsIsListed) {
  EnginePlan plan = keeping("randread4k,qd=4", 10);
  plan.warmup = seconds(5);
  const SimRun run = run_virtual(plan, "latency=const:1ms,stall=1s:500ms");
  for (const SlowOp& op : run.end.slowest) {
    EXPECT_LT(op.response(), milliseconds(10)) << "the stall was in the warm-up";
  }
  EXPECT_THAT(run.end.slowest, SizeIs(10));
}

TEST(SlowestOfARun, NoneWanted_NoneIsListed) {
  const SimRun run = run_virtual(keeping("randread4k", 0), "latency=const:1ms");
  EXPECT_THAT(run.end.slowest, IsEmpty());
}

TEST(SlowestOfARun, UnansweredOperation_IsListedWithTheTimeItWaited) {
  EnginePlan plan = keeping("randread4k,qd=4", 3);
  plan.drain = seconds(2);
  const SimRun run = run_virtual(plan, "latency=const:1ms,never=0.001");
  ASSERT_FALSE(run.end.slowest.empty());
  EXPECT_GT(run.end.slowest.front().response(), seconds(2));
  EXPECT_FALSE(run.end.slowest.front().answered);
}

}  // namespace
}  // namespace radosload::engine
