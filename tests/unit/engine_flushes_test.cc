// A write and the flush that follows it.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

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

// The cell of one kind in the sum of the run.
const record::Cell& cell_of(const SimRun& run, OpKind kind) {
  static const record::Cell nothing;
  for (const record::Cell& cell : run.total.kinds) {
    if (cell.kind == kind) return cell;
  }
  return nothing;
}

EnginePlan flushing(const std::string& pattern, std::chrono::seconds time) {
  EnginePlan plan = plan_for(pattern, time);
  plan.layout.flush_each_write = true;
  return plan;
}

TEST(Flushes, FollowEachWriteInItsSlotAndThePairIsOneFigure) {
  for (const char* const pattern : {"etcd-wal", "etcd-wal,qd=4"}) {
    const SimRun run = run_virtual(flushing(pattern, seconds(10)), "latency=const:1ms");
    expect_conservation(run);
    const record::Cell& pairs = cell_of(run, OpKind::sync);
    const std::uint64_t depth = plan_for(pattern, seconds(1)).depth;
    EXPECT_EQ(pairs.ops(), 5000 * depth) << pattern;
    EXPECT_EQ(pairs.bytes, pairs.ops() * 2300);
    EXPECT_EQ(pairs.latency.service().min(), 2000000U);
    EXPECT_EQ(pairs.latency.service().max(), 2000000U);
    EXPECT_EQ(cell_of(run, OpKind::flush).ops(), pairs.ops());
    EXPECT_EQ(record::total_of(run.total.kinds).ops(), 2 * pairs.ops()) << "pairs count once";
  }
}

TEST(Flushes, OpenLoop_PairIsTimedFromWhenTheWriteWasDue) {
  EnginePlan plan = flushing("etcd-wal,qd=1", seconds(10));
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 1000};
  const SimRun run = run_virtual(plan, "latency=const:1ms");
  expect_conservation(run);
  // Due each ms, done each 2 ms: in the end the queue is half the run long.
  const record::Latency& pairs = cell_of(run, OpKind::sync).latency;
  EXPECT_EQ(pairs.service().max(), 2000000U);
  EXPECT_NEAR(static_cast<double>(pairs.response().max()), 5e9, 0.1e9);
  EXPECT_EQ(cell_of(run, OpKind::flush).latency.response().max(), 1000000U);
}

// Every write of the measured phase has a pair, also those that are answered after it: they are the
// slowest of a run that ends in a stall.
TEST(Flushes, FollowTheLastWritesToo) {
  for (const char* const pattern : {"etcd-wal,qd=64", "etcd-wal"}) {
    const SimRun run = run_virtual(flushing(pattern, seconds(10)), "latency=exp:1ms");
    expect_conservation(run);
    EXPECT_EQ(cell_of(run, OpKind::sync).ops(), cell_of(run, OpKind::write).ops()) << pattern;
  }
  EnginePlan plan = flushing("etcd-wal,qd=1000", seconds(10));
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 200};
  plan.drain = seconds(60);
  const SimRun run = run_virtual(plan, "latency=const:1ms,stall=7s:20s");
  expect_conservation(run);
  const record::Cell& writes = cell_of(run, OpKind::write);
  const record::Cell& pairs = cell_of(run, OpKind::sync);
  EXPECT_EQ(writes.ops(), 2000U);
  EXPECT_EQ(pairs.ops(), 2000U);
  EXPECT_GT(pairs.latency.response().max(), writes.latency.response().max());
}

// Else a pair would be faster than its write.
TEST(Flushes, WriteThatWasNeverSent_IsALostPairToo) {
  EnginePlan plan = flushing("etcd-wal,qd=8", seconds(10));
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 200};
  plan.drain = seconds(60);
  const SimRun run = run_virtual(plan, "latency=const:1ms,stall=7s:20s");
  expect_conservation(run);
  const record::Cell& writes = cell_of(run, OpKind::write);
  const record::Cell& pairs = cell_of(run, OpKind::sync);
  EXPECT_GT(writes.lost.unsent(), 500U);
  EXPECT_EQ(pairs.lost.unsent(), writes.lost.unsent());
  EXPECT_EQ(pairs.ops() + pairs.lost.ops(), writes.ops() + writes.lost.ops());
}

TEST(Flushes, OfAWriteThatWasTheLastAllowed_IsSent) {
  EnginePlan plan = flushing("etcd-wal,qd=8", seconds(10));
  plan.extent.ops = 99;
  const SimRun run = run_virtual(plan, "latency=exp:1ms");
  expect_conservation(run);
  EXPECT_EQ(cell_of(run, OpKind::sync).ops(), cell_of(run, OpKind::write).ops());
}

TEST(Flushes, DoNotFollowAWriteThatFailed) {
  const SimRun run =
      run_virtual(flushing("etcd-wal", seconds(10)), "latency=const:1ms,error=EIO:0.2");
  expect_conservation(run);
  const record::Cell& writes = cell_of(run, OpKind::write);
  const record::Cell& flushes = cell_of(run, OpKind::flush);
  EXPECT_GT(writes.failed(), 100U);
  EXPECT_NEAR(static_cast<double>(flushes.ops() + flushes.failed()),
              static_cast<double>(writes.ops()), 1);
  EXPECT_NEAR(static_cast<double>(cell_of(run, OpKind::sync).ops()),
              static_cast<double>(flushes.ops()), 1);
}

}  // namespace
}  // namespace radosload::engine
