#include <cmath>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "record/run_record.h"
#include "support/sim_run.h"

#include <fmt/format.h>

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::expect_conservation;
using test::plan_for;
using test::run_virtual;
using test::SimRun;

record::Histogram service_of(const SimRun& run) {
  record::Histogram all;
  for (const record::Cell& cell : run.total.kinds) all.merge(cell.latency.service());
  return all;
}
record::Histogram response_of(const SimRun& run) {
  record::Histogram all;
  for (const record::Cell& cell : run.total.kinds) all.merge(cell.latency.response());
  return all;
}

TEST(ClosedLoop, KeepsItsDepthInFlightAndItsRateFollows) {
  // 16 at a time, 1 ms each: 16,000 a second, exactly.
  const SimRun run = run_virtual(plan_for("randread4k,qd=16", seconds(10)), "latency=const:1ms");
  expect_conservation(run);
  EXPECT_EQ(run.end.measured, seconds(10));
  EXPECT_NEAR(static_cast<double>(run.total.measured.submitted), 160000, 16);
  EXPECT_EQ(run.intervals[3].in_flight, 16U);
  EXPECT_EQ(run.end.ended_by, record::EndedBy::time);
  EXPECT_THAT(run.phases, ::testing::ElementsAre(Phase::measure, Phase::drain));
}

TEST(ClosedLoop, LogNormalLatencies_HaveTheirPercentiles) {
  const SimRun run =
      run_virtual(plan_for("randread4k,qd=64", seconds(20)), "latency=lognormal:1ms:0.5");
  expect_conservation(run);
  const record::Histogram service = service_of(run);
  ASSERT_GT(service.count(), 1000000U);
  // z-values of the standard normal.
  for (const auto& [p, z] : {std::pair{record::p50, 0.0},
                             {record::p90, 1.2815515655},
                             {record::p99, 2.3263478740},
                             {record::p999, 3.0902323062}}) {
    const auto measured = service.percentile(p);
    ASSERT_TRUE(measured);
    const double truth = 1e6 * std::exp(0.5 * z);
    EXPECT_NEAR(static_cast<double>(*measured), truth, truth * 0.02) << p.ppm;
  }
}

TEST(ClosedLoop, WarmUpIsCountedApart) {
  EnginePlan plan = plan_for("randread4k,qd=1", seconds(5));
  plan.warmup = seconds(2);
  const SimRun run = run_virtual(plan, "latency=const:10ms");
  expect_conservation(run);
  EXPECT_EQ(run.end.measure_start, seconds(2));
  EXPECT_NEAR(static_cast<double>(run.total.unmeasured.submitted), 200, 1);
  EXPECT_NEAR(static_cast<double>(run.total.measured.submitted), 500, 1);
  EXPECT_THAT(run.phases, ::testing::ElementsAre(Phase::warmup, Phase::measure, Phase::drain));
}

TEST(ClosedLoop, AnswersInTheDrain_CountForThePhaseThatSentThem) {
  const SimRun run = run_virtual(plan_for("randread4k,qd=1", seconds(1)), "latency=const:300ms");
  EXPECT_EQ(run.total.measured.submitted, 4U);
  EXPECT_EQ(run.total.measured.completed, 4U);
  EXPECT_EQ(run.total.unmeasured, record::Flow{});
}

TEST(ClosedLoop, OperationLimit_EndsExactlyThere) {
  for (const std::uint32_t lanes : {1U, 3U}) {
    EnginePlan plan = plan_for("randread4k,qd=9", seconds(0), lanes);
    plan.extent.ops = 1000;
    const SimRun run = run_virtual(plan, "latency=const:1ms", lanes);
    expect_conservation(run);
    EXPECT_EQ(run.total.measured.completed, 1000U);
    EXPECT_EQ(run.end.ended_by, record::EndedBy::ops);
    // 1000 operations, 9 at a time: the 112th round of 1 ms ends it.
    EXPECT_EQ(run.end.measured, milliseconds(112));
  }
}

TEST(ClosedLoop, ByteLimit_EndsThere) {
  EnginePlan plan = plan_for("randread4k,qd=4", seconds(0));
  plan.extent.bytes = mib(1);
  const SimRun run = run_virtual(plan, "latency=const:1ms");
  expect_conservation(run);
  EXPECT_EQ(run.total.measured.completed, 256U);
  EXPECT_EQ(run.end.ended_by, record::EndedBy::bytes);
}

TEST(ClosedLoop, SeveralLimits_TheFirstReachedEndsTheRun) {
  EnginePlan plan = plan_for("randread4k,qd=1", seconds(1));
  plan.extent.ops = 1000000;
  const SimRun run = run_virtual(plan, "latency=const:1ms");
  EXPECT_EQ(run.end.ended_by, record::EndedBy::time);
  EXPECT_EQ(run.end.measured, seconds(1));
}

TEST(ClosedLoop, Failures_AreCountedByErrnoAndTheRunContinues) {
  const SimRun run = run_virtual(plan_for("randread4k,qd=8", seconds(10)),
                                 "latency=const:1ms,error=EIO:0.1,error=ENOENT:0.05");
  expect_conservation(run);
  const record::Cell& reads = run.total.kinds.front();
  ASSERT_EQ(reads.errors.size(), 2U);
  const double sent = static_cast<double>(run.total.measured.submitted);
  for (const auto& [rc, count] : reads.errors) {
    const double expected = rc == -EIO ? 0.1 : 0.05;
    EXPECT_NEAR(static_cast<double>(count) / sent, expected, 0.005) << rc;
  }
}

TEST(ClosedLoop, EverythingFails_DoesNotSpin) {
  const SimRun run =
      run_virtual(plan_for("randread4k,qd=16", seconds(10)), "latency=const:1us,error=EIO:1");
  expect_conservation(run);
  EXPECT_EQ(run.total.measured.completed, 0U);
  // 16 slots, ten times a second each, and the first failures at full speed.
  EXPECT_LT(run.total.measured.failed, 16U * 10 * 10 + 200);
  EXPECT_GT(run.total.measured.failed, 16U * 10 * 9);
}

TEST(ClosedLoop, SlowOsd_AffectsOnlyItsOwnFigures) {
  const SimRun run =
      run_virtual(plan_for("randread4k,qd=16", seconds(20)), "latency=const:1ms,osds=4,slow=2:5");
  expect_conservation(run);
  ASSERT_EQ(run.total.osds.size(), 4U);
  for (const record::Cell& cell : run.total.osds) {
    const auto median = cell.latency.service().percentile(record::p50);
    ASSERT_TRUE(median);
    EXPECT_NEAR(static_cast<double>(*median), cell.osd == 2 ? 5e6 : 1e6, 1e4);
  }
}

TEST(ClosedLoop, Stall_DelaysOnlyOneOperationPerSlot) {
  // What makes closed loops flatter: 2 s of silence cost 4 operations, not 2 s worth of them.
  const SimRun run =
      run_virtual(plan_for("randread4k,qd=4", seconds(10)), "latency=const:1ms,stall=4s:2s");
  expect_conservation(run);
  EXPECT_NEAR(static_cast<double>(run.total.measured.completed), 4 * 8000, 8);
  EXPECT_GE(service_of(run).max(), 1990000000U);
  EXPECT_LE(service_of(run).value_at(record::p999), 1001000);
}

TEST(OpenLoop, SlowAnswers_EveryDueOperationIsSent) {
  EnginePlan plan = plan_for("randread4k", seconds(10));
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 1000};
  plan.depth = 4096;
  const SimRun run = run_virtual(plan, "latency=const:20ms");
  expect_conservation(run);
  EXPECT_EQ(run.total.measured.submitted, 10000U);
  EXPECT_EQ(run.end.unissued, 0U);
  EXPECT_EQ(run.intervals[5].in_flight, 20U);
}

TEST(OpenLoop, Stall_DelaysEveryOperationDueInIt) {
  // 1000 a second through a stall of 2 s with only 100 slots: what could not be sent in time is
  // sent late, and its response time counts from when it was due.
  EnginePlan plan = plan_for("randread4k", seconds(10));
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 1000};
  plan.depth = 100;
  const SimRun run = run_virtual(plan, "latency=const:1ms,stall=4s:2s");
  expect_conservation(run);
  EXPECT_EQ(run.total.measured.submitted, 10000U);
  std::uint64_t late = 0;
  for (const record::Cell& cell : run.total.kinds) late += cell.late;
  EXPECT_NEAR(static_cast<double>(late), 1900, 50);
  // A fifth of all operations were due in the stall, spread evenly over 0 .. 2 s of waiting.
  const auto p90 = response_of(run).percentile(record::p90);
  ASSERT_TRUE(p90);
  EXPECT_NEAR(static_cast<double>(*p90), 1e9, 0.1e9);
  // The service time alone would hide all but the hundred that were in flight.
  EXPECT_LE(service_of(run).value_at(record::p90), 2000000);
}

TEST(OpenLoop, OperationsNeverSent_AreCounted) {
  // 1000 a second asked of something that does 100.
  EnginePlan plan = plan_for("randread4k", seconds(10));
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 1000};
  plan.depth = 10;
  const SimRun run = run_virtual(plan, "latency=const:100ms");
  expect_conservation(run);
  EXPECT_EQ(run.total.measured.submitted + run.end.unissued, 10000U);
  EXPECT_NEAR(static_cast<double>(run.end.unissued), 9000, 20);
}

TEST(OpenLoop, SingleServerQueue_MatchesTheory) {
  // M/M/1 at 50 % load: response times are exponential with mean 1 / (mu - lambda) = 2 ms.
  EnginePlan plan = plan_for("randread4k", seconds(600));
  plan.arrival = {.law = Arrival::Law::poisson, .ops_per_second = 500};
  plan.depth = 4096;
  const SimRun run = run_virtual(plan, "latency=exp:1ms,servers=1");
  expect_conservation(run);
  const record::Histogram response = response_of(run);
  for (const record::Quantile p : {record::p50, record::p90, record::p99}) {
    const double truth = -2e6 * std::log(1 - p.ppm / 1e6);
    ASSERT_TRUE(response.percentile(p));
    EXPECT_NEAR(static_cast<double>(response.value_at(p)), truth, truth * 0.05) << p.ppm;
  }
}

TEST(Drain, WaitsForWhatIsInFlight) {
  const SimRun run = run_virtual(plan_for("randread4k,qd=8", seconds(3)), "latency=const:2s");
  expect_conservation(run);
  EXPECT_EQ(run.total.measured.completed, 16U);
  EXPECT_EQ(run.end.unfinished, 0U);
}

TEST(Drain, CancelsAtItsDeadlineAndCountsWhatItCancelled) {
  EnginePlan plan = plan_for("randread4k,qd=8", seconds(3));
  plan.drain = seconds(5);
  Time ended{0};
  const SimRun run =
      run_virtual(plan, "latency=const:1ms,stall=1s:1h", 1,
                  [&](Engine&, Loop& loop) { loop.at(seconds(7), [&] { ended = loop.now(); }); });
  expect_conservation(run);
  EXPECT_EQ(run.total.measured.cancelled, 8U);
  EXPECT_EQ(run.end.unfinished, 0U);
  EXPECT_EQ(ended, seconds(7));
}

TEST(Drain, OperationsWithoutAnswer_DrainEndsAllTheSame) {
  EnginePlan plan = plan_for("randread4k,qd=8", seconds(3));
  plan.drain = seconds(5);
  const SimRun run = run_virtual(plan, "latency=const:1ms,never=1");
  expect_conservation(run);
  EXPECT_EQ(run.end.unfinished, 8U);
}

TEST(Stopping, EndsTheMeasuredPhaseAtOnce) {
  const SimRun run =
      run_virtual(plan_for("randread4k,qd=8", seconds(60)), "latency=const:1ms", 1,
                  [](Engine& engine, Loop& loop) {
                    loop.at(seconds(7), [&] { engine.stop(record::EndedBy::sigint); });
                  });
  expect_conservation(run);
  EXPECT_EQ(run.end.ended_by, record::EndedBy::sigint);
  EXPECT_EQ(run.end.measured, seconds(7));
}

TEST(Stopping, AbortDoesNotWaitForTheDrain) {
  EnginePlan plan = plan_for("randread4k,qd=8", seconds(60));
  const SimRun run = run_virtual(plan, "latency=const:1h", 1, [](Engine& engine, Loop& loop) {
    loop.at(seconds(2), [&] { engine.stop(record::EndedBy::sigint); });
    loop.at(seconds(3), [&] { engine.abort(record::EndedBy::sigint); });
  });
  expect_conservation(run);
  EXPECT_EQ(run.end.ended_by, record::EndedBy::sigint);
  EXPECT_EQ(run.total.measured.cancelled, 8U);
}

TEST(Stopping, InTheWarmUpMeasuresNothing) {
  EnginePlan plan = plan_for("randread4k,qd=8", seconds(60));
  plan.warmup = seconds(5);
  const SimRun run = run_virtual(plan, "latency=const:1ms", 1, [](Engine& engine, Loop& loop) {
    loop.at(seconds(1), [&] { engine.stop(record::EndedBy::sigint); });
  });
  expect_conservation(run);
  EXPECT_EQ(run.end.measured, seconds(0));
  EXPECT_EQ(run.total.measured.submitted, 0U);
}

TEST(FiniteWork, EveryObjectUsedOnce_RunEnds) {
  EnginePlan plan = plan_for("create,objects=500,qd=7", seconds(0), 2);
  const SimRun run = run_virtual(plan, "latency=const:1ms", 2);
  expect_conservation(run);
  EXPECT_EQ(run.end.ended_by, record::EndedBy::exhausted);
  EXPECT_EQ(run.total.measured.completed, 500U);
}

TEST(PrefillRun, WritesWhatTheLayoutNeedsOnce) {
  EnginePlan plan = plan_for("randread4k,size=64M", seconds(0), 3);
  plan.prefill = true;
  plan.depth = 5;
  const SimRun run = run_virtual(plan, "latency=const:1ms", 3);
  expect_conservation(run);
  ASSERT_EQ(run.total.kinds.size(), 1U);
  EXPECT_EQ(run.total.kinds.front().kind, OpKind::write);
  EXPECT_EQ(run.total.kinds.front().bytes, mib(64).count);
}

TEST(PrefillRun, SlowDisksThatAnswer_PrefillContinues) {
  EnginePlan plan = plan_for("randread4k,size=32M", seconds(0), 1);
  plan.prefill = true;
  plan.depth = 8;
  plan.drain = seconds(30);
  const SimRun run = run_virtual(plan, "latency=const:20s,servers=1");
  expect_conservation(run);
  EXPECT_EQ(run.total.measured.cancelled, 0U);
  EXPECT_EQ(run.total.kinds.front().bytes, mib(32).count);
}

TEST(PrefillRun, NoAnswerForTheStallTime_PrefillEnds) {
  EnginePlan plan = plan_for("randread4k,size=32M", seconds(0), 1);
  plan.prefill = true;
  plan.depth = 8;
  plan.drain = seconds(30);
  const SimRun run = run_virtual(plan, "latency=const:1h");
  expect_conservation(run);
  EXPECT_EQ(run.end.ended_by, record::EndedBy::stalled);
  EXPECT_EQ(run.total.measured.cancelled, 8U);
}

TEST(StuckOperations, AreFoundWithTheirAge) {
  Stuck found;
  run_virtual(plan_for("randread4k,qd=8", seconds(10)), "latency=const:1ms,stall=2s:5s", 1,
              [&](Engine& engine, Loop& loop) {
                loop.at(seconds(6), [&] { found = engine.stuck(seconds(1)); });
              });
  EXPECT_EQ(found.count, 8U);
  EXPECT_NEAR(radosload::seconds(found.oldest), 4, 0.01);
}

TEST(Seeds, TheSameSeedGivesTheSameRun) {
  const EnginePlan plan = plan_for("randrw4k,qd=16", seconds(5));
  const std::string sim = "latency=lognormal:1ms:1,osds=5,error=EIO:0.01";
  const SimRun one = run_virtual(plan, sim);
  const SimRun other = run_virtual(plan, sim);
  EXPECT_EQ(one.total, other.total);
  EnginePlan changed = plan;
  changed.seed = 2;
  EXPECT_NE(run_virtual(changed, sim).total, one.total);
}

RC_GTEST_PROP(Conservation, HoldsThroughStallsErrorsAndCancellation, ()) {
  const auto lanes = *rc::gen::inRange<std::uint32_t>(1, 4);
  EnginePlan plan =
      plan_for(fmt::format("randrw4k,qd={}", *rc::gen::inRange<std::uint32_t>(lanes, 40)),
               seconds(4), lanes);
  plan.warmup = milliseconds(*rc::gen::inRange(0, 2000));
  plan.drain = milliseconds(*rc::gen::inRange(0, 3000));
  plan.seed = *rc::gen::arbitrary<std::uint64_t>();
  if (*rc::gen::arbitrary<bool>()) {
    plan.arrival = {.law = Arrival::Law::poisson,
                    .ops_per_second = static_cast<double>(*rc::gen::inRange(1, 3000))};
  }
  const std::string sim =
      fmt::format("latency=exp:{}ms,osds=3,error=EIO:0.05,stall={}ms:{}ms,lost=0.001,never=0.0005",
                  *rc::gen::inRange(1, 50), *rc::gen::inRange(0, 4000), *rc::gen::inRange(0, 5000));
  expect_conservation(run_virtual(plan, sim, lanes));
}

}  // namespace
}  // namespace radosload::engine
