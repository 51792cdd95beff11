// What the engine tells a trace: a row for every operation of the measured phase and no other, with
// the times, the place and the outcome that the recorder has seen.
#include <map>

#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/sim_run.h"
#include "trace/trace_scan.h"
#include "trace/trace_writer.h"
#include "unit/trace_support.h"

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::plan_for;
using test::run_null;
using test::run_threads;
using test::run_virtual;
using test::SimRun;
using trace::TraceRow;

class Traced : public trace::testing::TraceFixture {
 protected:
  // A trace for the plan to come, in a file of its own.
  std::shared_ptr<trace::TraceWriter> trace(Bytes memory = trace::TraceWriter::default_memory) {
    m_path = m_folder.path() / (std::to_string(++m_traces) + ".npy");
    return *trace::TraceWriter::create(m_path, memory);
  }
  std::vector<TraceRow> rows_of(const EnginePlan& plan, const SimRun& run) {
    const trace::TraceEnd end = plan.trace->close(run.end.measured);
    EXPECT_TRUE(end.whole);
    EXPECT_EQ(end.rows,
              run.total.measured.submitted + run.total.carried.ended() + run.end.unissued);
    return trace::testing::rows_in(m_path);
  }

 private:
  std::filesystem::path m_path;
  int m_traces = 0;
};

// The same cells, to the last bucket: nothing is lost, nothing counted twice.
void expect_same_figures(const std::vector<TraceRow>& rows, const SimRun& run) {
  trace::TraceScan scan(0, run.end.measured);
  scan.add(0, rows);
  const record::RunRecord record = scan.record();
  EXPECT_EQ(scan.unsound(), 0U);
  EXPECT_EQ(record.measured, run.end.measured);
  EXPECT_EQ(record.last_answer, run.end.last_answer);
  EXPECT_EQ(record.measured_flow, run.total.measured);
  EXPECT_EQ(record.carried_flow, run.total.carried);
  EXPECT_EQ(record.unfinished, run.total.measured.submitted - run.total.measured.ended());
  EXPECT_EQ(record.unissued, run.end.unissued);
  std::vector<record::Cell> kinds = run.total.kinds;
  std::erase_if(kinds, [](const record::Cell& cell) { return cell.kind == OpKind::sync; });
  EXPECT_EQ(record.kinds, kinds);
}

TEST_F(Traced, EveryOperationOfTheMeasuredPhaseHasARowAndNoOther) {
  EnginePlan plan = plan_for("randrw4k,qd=16", seconds(3), 2);
  plan.warmup = seconds(1);
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=exp:1ms,osds=3,error=EIO:0.1", 2);
  const auto rows = rows_of(plan, run);
  EXPECT_GT(run.total.unmeasured.completed, 0U);
  expect_same_figures(rows, run);
  std::map<int, int> clients;
  EXPECT_EQ(run.total.carried.ended(), 16U) << "in flight when the measured phase began";
  for (const TraceRow& row : rows) {
    EXPECT_GE(row.complete_ns, 0);
    EXPECT_EQ(row.intended_ns, row.submit_ns);
    EXPECT_EQ(row.where % 4096, 0U);
    EXPECT_LT(row.where, gib(1).count);
    EXPECT_TRUE(row.osd >= 0 && row.osd < 3);
    EXPECT_EQ(row.pg, no_pg);
    EXPECT_TRUE(row.rc == 0 || row.rc == -EIO);
    ++clients[row.client];
  }
  EXPECT_EQ(clients.size(), 2U);
}

TEST_F(Traced, OpenLoop_RowHasTheDueTimeOfItsOperation) {
  EnginePlan plan = plan_for("randread4k", seconds(10));
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 100};
  plan.depth = 1;
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=const:1ms,stall=4s:2s");
  const auto rows = rows_of(plan, run);
  expect_same_figures(rows, run);
  // Due every 10 ms, however late they are sent.
  std::int64_t waited = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].intended_ns - rows[i - 1].intended_ns, Time(milliseconds(10)).count());
    waited = std::max(waited, rows[i].submit_ns - rows[i].intended_ns);
  }
  EXPECT_GT(waited, Time(seconds(1)).count());
}

TEST_F(Traced, TimesCountFromTheStartOfTheMeasuredPhase) {
  EnginePlan plan = plan_for("randread4k,qd=1", seconds(2));
  plan.warmup = seconds(5);
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=const:10ms");
  const auto rows = rows_of(plan, run);
  ASSERT_FALSE(rows.empty());
  EXPECT_LE(rows.front().submit_ns, Time(milliseconds(10)).count());
  EXPECT_EQ(rows.front().complete_ns - rows.front().submit_ns, Time(milliseconds(10)).count());
}

TEST_F(Traced, WarmUpAndDrain_TraceAndRecordHaveTheSameFigures) {
  EnginePlan plan = plan_for("randrw4k,qd=16", seconds(10), 2);
  plan.warmup = seconds(5);
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=uniform:500ms:1500ms,osds=3,error=EIO:0.1", 2);
  const auto rows = rows_of(plan, run);
  expect_same_figures(rows, run);
  const record::Cell total = record::total_of(run.total.kinds);
  EXPECT_GT(total.drained.ops, 0U);
  EXPECT_GT(run.total.carried.failed, 0U);
  EXPECT_GT(run.end.last_answer, seconds(10));
}

TEST_F(Traced, SimulatedLatenciesOfNull_DoNotBeginBeforeTheMeasuredPhase) {
  EnginePlan plan = plan_for("randread4k,qd=4", Time(0));
  plan.extent.ops = 1000;
  plan.trace = trace();
  const SimRun run = run_null(plan, 1, "latency=const:50ms");
  const auto rows = rows_of(plan, run);
  ASSERT_EQ(rows.size(), 1000U);
  for (const TraceRow& row : rows) {
    EXPECT_GE(row.submit_ns, 0);
    EXPECT_GE(row.complete_ns - row.submit_ns, Time(milliseconds(50)).count());
  }
  expect_same_figures(rows, run);
}

TEST_F(Traced, AWriteAndItsFlushAreTwoRows) {
  EnginePlan plan = plan_for("etcd-wal", seconds(2));
  plan.layout.flush_each_write = true;
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=const:1ms");
  const auto rows = rows_of(plan, run);
  expect_same_figures(rows, run);
  ASSERT_GE(rows.size(), 4U);
  for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
    EXPECT_EQ(rows[i].op, static_cast<std::uint8_t>(OpKind::write));
    EXPECT_EQ(rows[i + 1].op, static_cast<std::uint8_t>(OpKind::flush));
  }
}

TEST_F(Traced, CancelledOperation_HasARow) {
  EnginePlan plan = plan_for("randread4k,qd=8", seconds(2));
  plan.drain = seconds(1);
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=const:1ms,lost=0.01");
  EXPECT_GT(run.total.measured.cancelled, 0U);
  expect_same_figures(rows_of(plan, run), run);
}

TEST_F(Traced, UnansweredOperation_HasARowAndWaitedUntilItWasGivenUp) {
  EnginePlan plan = plan_for("randrw4k,qd=8", seconds(3), 2);
  plan.drain = seconds(1);
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=const:1ms,osds=3,never=0.001", 2);
  ASSERT_EQ(run.end.unfinished, 8U);
  const auto rows = rows_of(plan, run);
  expect_same_figures(rows, run);
  for (const TraceRow& row : rows) {
    if (!trace::is_unanswered(row)) continue;
    EXPECT_EQ(row.bytes, 0U);
    EXPECT_EQ(row.complete_ns, Time(seconds(9)).count()) << "3 s, the drain, and 5 s more";
  }
}

TEST_F(Traced, OpenLoop_UnansweredOperationHasWaitedSinceItWasDue) {
  EnginePlan plan = plan_for("randread4k", seconds(5));
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 100};
  plan.depth = 4;
  plan.drain = seconds(1);
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=const:100ms,never=0.1");
  ASSERT_EQ(run.end.unfinished, 4U);
  EXPECT_GT(run.end.unissued, 0U);
  expect_same_figures(rows_of(plan, run), run);
}

TEST_F(Traced, UnansweredOperationOfTheWarmUp_HasNoRow) {
  EnginePlan plan = plan_for("randread4k,qd=8", seconds(3));
  plan.warmup = seconds(1);
  plan.drain = seconds(1);
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=const:1ms,never=1");
  ASSERT_EQ(run.end.unfinished, 8U);
  EXPECT_TRUE(rows_of(plan, run).empty());
}

// One at a time, 100 ms each, 1000 a second: 50 of 5000 are sent. All rows of the others come at
// once, and the buffer has room for 1024.
TEST_F(Traced, EveryOperationNotSent_HasARow) {
  EnginePlan plan = plan_for("randread4k", seconds(5));
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 1000};
  plan.depth = 1;
  plan.trace = trace(kib(1));
  const SimRun run = run_virtual(plan, "latency=const:100ms,osds=3");
  ASSERT_EQ(run.end.unissued, 4950U);
  const auto rows = rows_of(plan, run);
  expect_same_figures(rows, run);
  std::uint64_t unsent = 0;
  for (const TraceRow& row : rows) {
    if (!trace::is_unsent(row)) continue;
    ++unsent;
    EXPECT_EQ(row.submit_ns, Time(seconds(5)).count());
    EXPECT_EQ(row.complete_ns, row.submit_ns);
    EXPECT_EQ(row.intended_ns % Time(milliseconds(1)).count(), 0);
  }
  EXPECT_EQ(unsent, 4950U);
}

TEST_F(Traced, PairNotSent_IsOneRow) {
  EnginePlan plan = plan_for("etcd-wal", seconds(2));
  plan.layout.flush_each_write = true;
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 1000};
  plan.depth = 1;
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=const:50ms");
  EXPECT_EQ(run.end.unissued, 1980U);
  expect_same_figures(rows_of(plan, run), run);
}

TEST_F(Traced, OperationsWithoutAnOffset_HaveTheirObjectNumberInTheRow) {
  EnginePlan plan = plan_for("stat,objects=50,qd=1", seconds(1));
  plan.trace = trace();
  const SimRun run = run_virtual(plan, "latency=const:1ms");
  std::map<std::uint64_t, int> places;
  for (const TraceRow& row : rows_of(plan, run)) ++places[row.where];
  EXPECT_EQ(places.size(), 50U);
  EXPECT_EQ(places.rbegin()->first, 49U);
}

TEST_F(Traced, ThreadsLoseNoRow) {
  EnginePlan plan = plan_for("randrw4k,qd=64", seconds(1), 3);
  plan.trace = trace();
  const SimRun run = run_threads(plan, "latency=exp:300us,osds=5,error=EIO:0.02", 3);
  EXPECT_GT(run.total.measured.completed, 1000U);
  expect_same_figures(rows_of(plan, run), run);
}

TEST_F(Traced, ARowCostsNoAllocation) {
  const auto allocations_of = [this](std::uint64_t ops) {
    EnginePlan plan = plan_for("randrw4k,dist=zipf,qd=16", Time(0));
    plan.extent.ops = ops;
    plan.trace = trace();
    const std::size_t before = test::allocations();
    const SimRun run = run_null(plan, 1);
    plan.trace->close(run.end.measured);
    EXPECT_EQ(run.total.measured.submitted, ops);
    return test::allocations() - before;
  };
  constexpr std::uint64_t some = 20'000;
  constexpr std::uint64_t many = 10 * some;
  const std::size_t few = allocations_of(some);
  EXPECT_LT(allocations_of(many), few + (many - some) / 20) << few << " for " << some;
}

}  // namespace
}  // namespace radosload::engine
