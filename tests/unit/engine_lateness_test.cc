// How late an open loop sends what is due.

#include <gtest/gtest.h>

#include "support/sim_run.h"

namespace radosload::engine {
namespace {

using std::chrono::seconds;
using test::expect_conservation;
using test::plan_for;
using test::run_virtual;
using test::SimRun;

TEST(Lateness, IsKeptForEachOperationThatWasDue) {
  EnginePlan plan = plan_for("randread4k", seconds(10));
  plan.warmup = seconds(2);
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 1000};
  plan.depth = 100;
  const SimRun run = run_virtual(plan, "latency=const:1ms,stall=6s:2s");
  expect_conservation(run);
  const record::Histogram& late = run.total.lateness;
  EXPECT_EQ(late.count(), 10000U) << "none of the warm-up";
  EXPECT_EQ(late.value_at(record::p50), 0U) << "virtual time is never late by itself";
  EXPECT_NEAR(static_cast<double>(late.max()), 1.9e9, 0.05e9);
  EXPECT_TRUE(run_virtual(plan_for("randread4k,qd=4", seconds(1)), "latency=const:1ms")
                  .total.lateness.empty())
      << "in a closed loop nothing is due at a time of its own";
}

TEST(Lateness, FlushAfterAWrite_HasNoLateness) {
  EnginePlan plan = plan_for("etcd-wal,qd=1", seconds(10));
  plan.layout.flush_each_write = true;
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 100};
  const SimRun run = run_virtual(plan, "latency=const:1ms");
  EXPECT_EQ(run.total.measured.completed, 2000U);
  EXPECT_EQ(run.total.lateness.count(), 1000U);
}

}  // namespace
}  // namespace radosload::engine
