// Prefill whose number of operations in flight follows their latencies.
#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "support/sim_run.h"

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::expect_conservation;
using test::plan_for;
using test::run_threads;
using test::run_virtual;
using test::SimRun;

EnginePlan adaptive_plan(const std::string& pattern, std::uint32_t slots, std::uint32_t lanes = 1) {
  EnginePlan plan = plan_for(pattern, seconds(0), lanes);
  plan.prefill = true;
  plan.adaptive = true;
  plan.depth = slots;
  return plan;
}

std::uint64_t most_in_flight(const SimRun& run) {
  std::uint64_t most = 0;
  for (const auto& second : run.intervals) most = std::max(most, second.in_flight);
  return most;
}

void expect_filled(const SimRun& run, Bytes size) {
  expect_conservation(run);
  EXPECT_EQ(run.end.ended_by, record::EndedBy::exhausted);
  ASSERT_EQ(run.total.kinds.size(), 1U);
  EXPECT_EQ(run.total.kinds.front().kind, OpKind::write);
  EXPECT_EQ(run.total.kinds.front().bytes, size.count);
}

TEST(AdaptivePrefill, EverythingIsWrittenOnce) {
  for (const std::uint32_t lanes : {1U, 3U}) {
    for (const char* const sim : {"latency=const:1ms", "latency=exp:900ms,servers=2"}) {
      expect_filled(run_virtual(adaptive_plan("randread4k,size=512M", 16, lanes), sim, lanes),
                    mib(512));
    }
  }
}

TEST(AdaptivePrefill, DiskThatTakesASecondForAWrite_FewAreInFlight) {
  const SimRun run =
      run_virtual(adaptive_plan("randread4k,size=1G", 16), "latency=const:1s,servers=1");
  expect_filled(run, gib(1));
  EXPECT_LE(most_in_flight(run), 4U);
  EXPECT_LE(run.end.measured, seconds(257)) << "and the disk is never idle";
}

TEST(AdaptivePrefill, LatencyThatDoesNotGrow_AllSlotsAreUsed) {
  const SimRun run = run_virtual(adaptive_plan("randread4k,size=1G", 16), "latency=const:500ms");
  expect_filled(run, gib(1));
  EXPECT_EQ(most_in_flight(run), 16U);
  EXPECT_LE(run.end.measured, seconds(12));
}

// Eight objects of the slow OSD follow 24 of the other.
TEST(AdaptivePrefill, WhereTheOsdsAreKnown_NoneIdlesWhileTheOtherIsBusy) {
  EnginePlan plan = adaptive_plan("randread4k,size=256M", 4);
  std::vector<std::uint32_t> pgs;
  for (std::uint32_t i = 0; i < plan.layout.objects; ++i) pgs.push_back(i / 8 % 4 / 3);
  auto locations = std::make_shared<ObjectPlacement>(std::vector<std::uint64_t>(), pgs, 2);
  for (const std::uint32_t pg : {0U, 1U}) {
    const auto osd = static_cast<std::int32_t>(pg);
    locations->move(pg, osd);
    locations->set_members(pg, std::vector{osd});
  }
  plan.layout.locations = locations;
  const SimRun run = run_virtual(plan, "latency=const:100ms,osds=2,servers=1,slow=1:3");
  expect_filled(run, mib(256));
  EXPECT_LE(run.end.measured, milliseconds(5500)) << "each has 4.8 s of work";
}

TEST(AdaptivePrefill, WithARate_FewAreInFlightToo) {
  EnginePlan plan = adaptive_plan("randread4k,size=256M", 16);
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 4};
  const SimRun slow = run_virtual(plan, "latency=const:1s,servers=1");
  expect_filled(slow, mib(256));
  EXPECT_LE(most_in_flight(slow), 4U);
  const SimRun quick = run_virtual(plan, "latency=const:1ms");
  expect_filled(quick, mib(256));
  EXPECT_EQ(quick.end.measured / seconds(1), 16) << "64 writes, 4 a second";
}

TEST(AdaptivePrefill, EverythingFails_ItDoesNotSpinAndEnds) {
  const SimRun run =
      run_virtual(adaptive_plan("randread4k,size=1G", 16), "latency=const:1us,error=EIO:1");
  expect_conservation(run);
  EXPECT_EQ(run.total.measured.failed, 256U);
  EXPECT_GT(run.end.measured, seconds(5));
}

TEST(AdaptivePrefill, StoppedInTheMiddle_NothingIsSentAfterwards) {
  const SimRun run =
      run_virtual(adaptive_plan("randread4k,size=1G", 16), "latency=const:1s,servers=1", 1,
                  [](Engine& engine, Loop& loop) {
                    loop.at(seconds(20), [&engine] { engine.stop(record::EndedBy::sigint); });
                  });
  expect_conservation(run);
  EXPECT_EQ(run.end.ended_by, record::EndedBy::sigint);
  EXPECT_NEAR(static_cast<double>(run.total.measured.submitted), 24, 2);
}

TEST(AdaptivePrefill, OnThreads_EverythingIsWrittenOnce) {
  expect_filled(
      run_threads(adaptive_plan("randread4k,size=1G", 48, 3), "latency=exp:2ms,servers=2", 3),
      gib(1));
}

}  // namespace
}  // namespace radosload::engine
