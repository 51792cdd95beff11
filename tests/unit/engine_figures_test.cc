// What counts as throughput, as latency and as not sent, with times that are known to the
// nanosecond.
#include <gtest/gtest.h>

#include "record/run_record.h"
#include "support/sim_run.h"

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::expect_conservation;
using test::plan_for;
using test::run_virtual;
using test::SimRun;

record::Cell total_of(const SimRun& run) {
  return record::total_of(run.total.kinds);
}

TEST(Throughput, CountsOperationsFinishedInTheMeasuredPhaseNotThoseSentInIt) {
  // 16 at a time, 3 s each, for 10 s: answers after 3, 6 and 9 s, and 16 more while draining.
  const SimRun run = run_virtual(plan_for("radosbench-rand", seconds(10)), "latency=const:3s");
  expect_conservation(run);
  const record::Cell total = total_of(run);
  EXPECT_EQ(run.end.measured, seconds(10));
  EXPECT_EQ(total.ops(), 64U);
  EXPECT_EQ(total.finished, (record::Amount{.ops = 48, .bytes = 48 * mib(4).count}));
  EXPECT_EQ(total.drained, (record::Amount{.ops = 16, .bytes = 16 * mib(4).count}));
  EXPECT_EQ(run.end.last_answer, seconds(12));
}

TEST(Throughput, IncludesOperationsSentInTheWarmUp) {
  // Answers after 3, 6, 9, 12, ... s; the measured phase is from 5 to 14.
  EnginePlan plan = plan_for("radosbench-rand", seconds(9));
  plan.warmup = seconds(5);
  const SimRun run = run_virtual(plan, "latency=const:3s");
  expect_conservation(run);
  const record::Cell total = total_of(run);
  EXPECT_EQ(total.finished.ops, 48U) << "at 6, 9 and 12 s";
  EXPECT_EQ(total.drained.ops, 16U) << "at 15 s";
  EXPECT_EQ(total.ops(), 48U) << "sent at 6, 9 and 12 s";
  EXPECT_EQ(run.total.carried.completed, 16U) << "sent at 3 s, answered at 6 s";
  EXPECT_EQ(run.end.last_answer, seconds(10));
}

TEST(Throughput, AnswerAtTheEndOfThePhase_Counts) {
  EnginePlan plan = plan_for("randread4k,qd=16", seconds(4));
  plan.warmup = seconds(2);
  const SimRun run = run_virtual(plan, "latency=const:1ms");
  expect_conservation(run);
  EXPECT_EQ(total_of(run).finished.ops, 64000U);
  EXPECT_EQ(total_of(run).drained.ops, 0U);
}

TEST(Throughput, WithAnOperationLimit_LastsUntilTheLastOperation) {
  EnginePlan plan = plan_for("randread4k,qd=9", seconds(0));
  plan.extent.ops = 20;
  const SimRun run = run_virtual(plan, "latency=const:1ms");
  EXPECT_EQ(total_of(run).finished.ops, 20U);
  EXPECT_EQ(total_of(run).drained.ops, 0U);
  EXPECT_EQ(run.end.measured, milliseconds(3));
  EXPECT_EQ(run.end.last_answer, milliseconds(3));
}

TEST(Throughput, RunThatEndsInItsWarmUp_HasNone) {
  EnginePlan plan = plan_for("randread4k,qd=8", seconds(60));
  plan.warmup = seconds(5);
  const SimRun run = run_virtual(plan, "latency=const:300ms", 1, [](Engine& engine, Loop& loop) {
    loop.at(seconds(1), [&] { engine.stop(record::EndedBy::sigint); });
  });
  expect_conservation(run);
  EXPECT_TRUE(run.total.kinds.empty());
  EXPECT_EQ(run.total.carried.ended(), 0U);
}

TEST(Throughput, InAnOpenLoopAnOperationBelongsToThePhaseInWhichItWasDue) {
  // One at a time, 100 ms each, 1000 a second: all that is sent in 10 s was due in the warm-up.
  EnginePlan plan = plan_for("randread4k", seconds(5));
  plan.warmup = seconds(5);
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 1000};
  plan.depth = 1;
  const SimRun run = run_virtual(plan, "latency=const:100ms");
  expect_conservation(run);
  EXPECT_EQ(total_of(run).ops(), 0U);
  EXPECT_EQ(total_of(run).finished.ops, 50U);
}

TEST(Throughput, OfPairsCountsTheFlushThatEndsIt) {
  EnginePlan plan = plan_for("etcd-wal,qd=1", seconds(4));
  plan.layout.flush_each_write = true;
  plan.warmup = milliseconds(1500);
  const SimRun run = run_virtual(plan, "latency=const:1s");
  // Pairs end at 2, 4 and 6 s; the measured phase is from 1.5 to 5.5.
  for (const record::Cell& cell : run.total.kinds) {
    if (cell.kind != OpKind::sync) continue;
    EXPECT_EQ(cell.finished.ops, 2U);
    EXPECT_EQ(cell.drained.ops, 1U);
    EXPECT_EQ(cell.ops(), 2U) << "those whose write was sent in the measured phase";
  }
}

EnginePlan open(double rate, Time time, std::uint32_t depth) {
  EnginePlan plan = plan_for("randread4k", time);
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = rate};
  plan.depth = depth;
  return plan;
}

TEST(NotSent, CountsOperationsDueInTheMeasuredPhase) {
  // One at a time, 100 ms each, 1000 a second: 50 of 5000 are sent.
  const SimRun run = run_virtual(open(1000, seconds(5), 1), "latency=const:100ms");
  expect_conservation(run);
  EXPECT_EQ(run.end.unissued, 4950U);
  const record::Lost& lost = total_of(run).lost;
  EXPECT_EQ(lost.unsent(), 4950U);
  EXPECT_EQ(lost.service.count(), 0U) << "what was never sent has no service time";
  EXPECT_EQ(lost.response.max(), 4'950'000'000U) << "due after 50 ms, given up after 5 s";
  EXPECT_EQ(lost.response.min(), 1'000'000U);
}

TEST(NotSent, LeavesOutTheBacklogOfTheWarmUp) {
  EnginePlan plan = open(1000, seconds(5), 1);
  plan.warmup = seconds(5);
  const SimRun run = run_virtual(plan, "latency=const:100ms");
  expect_conservation(run);
  EXPECT_EQ(run.end.unissued, 5000U);
}

TEST(NotSent, OperationsBeyondAnotherLimit_AreNotCounted) {
  EnginePlan plan = open(500, seconds(0), 64);
  plan.extent.ops = 500;
  EXPECT_EQ(run_virtual(plan, "latency=const:1ms").end.unissued, 0U);
  EnginePlan of_four = open(100, seconds(1), 64);
  of_four.extent.ops = 200;
  EXPECT_EQ(run_virtual(of_four, "latency=const:1ms", 4).end.unissued, 0U);
  // Of 100 that were asked for, 50 were sent in time.
  EnginePlan half = open(1000, seconds(5), 1);
  half.extent.ops = 100;
  EXPECT_EQ(run_virtual(half, "latency=const:100ms").end.unissued, 50U);
}

TEST(NotSent, SeveralLanesWithAnOperationLimit_CountNone) {
  EnginePlan plan = open(1000, seconds(0), 4);
  plan.extent.ops = 200;
  const SimRun run = run_virtual(plan, "latency=const:100ms", 4);
  EXPECT_EQ(run.total.measured.completed, 200U);
  EXPECT_EQ(run.end.unissued, 0U);
}

TEST(NotSent, LateTimerAtTheEnd_CountsNone) {
  EnginePlan plan = open(20000, milliseconds(300), 8192);
  const SimRun run = test::run_threads(plan, "latency=const:100us", 2);
  expect_conservation(run);
  EXPECT_EQ(run.end.unissued, 0U);
  EXPECT_EQ(run.end.measured, milliseconds(300)) << "however late the timer";
}

TEST(NotSent, PairNotSent_CountsAsWriteAndPairNotAsFlush) {
  EnginePlan plan = open(1000, seconds(5), 1);
  plan.pattern = plan_for("etcd-wal", seconds(5)).pattern;
  plan.layout = plan_for("etcd-wal", seconds(5)).layout;
  plan.layout.flush_each_write = true;
  const SimRun run = run_virtual(plan, "latency=const:50ms");
  EXPECT_EQ(run.end.unissued, 4950U);
  for (const record::Cell& cell : run.total.kinds) {
    const std::uint64_t expected = cell.kind == OpKind::flush ? 0 : 4950;
    EXPECT_EQ(cell.lost.unsent(), expected) << op_kind_name(cell.kind);
  }
}

TEST(Lost, CancelledOperation_HasWaitedSinceItWasDue) {
  // All that is due from 8 s on stays unanswered until the drain ends after 15 s.
  EnginePlan plan = open(1000, seconds(10), 4096);
  plan.drain = seconds(5);
  const SimRun run = run_virtual(plan, "latency=const:1ms,stall=8s:1h");
  expect_conservation(run);
  const record::Cell total = total_of(run);
  EXPECT_EQ(total.cancelled, 2001U) << "the one sent 1 ms before the stall is caught by it";
  EXPECT_EQ(total.lost.ops(), 2001U);
  EXPECT_EQ(total.lost.response.max(), 7'001'000'000U);
  EXPECT_EQ(total.lost.response.min(), 5'001'000'000U);
}

TEST(Lost, TimedOutOperationsAreLostAndOtherFailuresAreNot) {
  EnginePlan plan = plan_for("randread4k,qd=1", seconds(0));
  plan.extent.ops = 10;
  const record::Cell timed_out =
      total_of(run_virtual(plan, "latency=const:10ms,error=ETIMEDOUT:1"));
  EXPECT_EQ(timed_out.lost.service.count(), 10U);
  EXPECT_EQ(timed_out.lost.service.max(), 10'000'000U);
  EXPECT_EQ(total_of(run_virtual(plan, "latency=const:10ms,error=EIO:1")).lost.ops(), 0U);
}

TEST(Lost, UnansweredOperation_HasWaitedUntilItWasGivenUp) {
  EnginePlan plan = plan_for("randread4k,qd=8", seconds(3));
  plan.drain = seconds(5);
  const SimRun run = run_virtual(plan, "latency=const:1ms,never=1");
  expect_conservation(run);
  EXPECT_EQ(run.end.unfinished, 8U);
  EXPECT_EQ(total_of(run).lost.service.count(), 8U);
  EXPECT_EQ(total_of(run).lost.service.min(), 13'000'000'000U) << "3 s, the drain, and 5 s more";
}

TEST(Lost, APairIsLostWithItsFlush) {
  EnginePlan plan = plan_for("etcd-wal,qd=1", seconds(3));
  plan.layout.flush_each_write = true;
  plan.drain = seconds(5);
  // Writes at 0, 2, 4, ... ms; the flush sent at 999 ms stays unanswered.
  const SimRun run = run_virtual(plan, "latency=const:1ms,stall=1s:1h");
  for (const record::Cell& cell : run.total.kinds) {
    if (cell.kind == OpKind::write) continue;
    EXPECT_EQ(cell.lost.ops(), 1U) << op_kind_name(cell.kind);
    const std::uint64_t begun_ms = cell.kind == OpKind::sync ? 998 : 999;
    EXPECT_EQ(cell.lost.service.max(), (8000 - begun_ms) * 1'000'000U);
  }
}

}  // namespace
}  // namespace radosload::engine
