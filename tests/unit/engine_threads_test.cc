// The engine on real threads: what ThreadSanitizer is for.

#include <gtest/gtest.h>

#include "support/sim_run.h"

namespace radosload::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::expect_conservation;
using test::plan_for;
using test::run_null;
using test::run_threads;
using test::SimRun;

TEST(Threads, ConservationHoldsWithRacesAndErrors) {
  EnginePlan plan = plan_for("randrw4k,qd=64", seconds(1), 3);
  plan.warmup = milliseconds(200);
  const SimRun run = run_threads(plan, "latency=exp:300us,osds=5,error=EIO:0.02", 3);
  expect_conservation(run);
  EXPECT_GT(run.total.measured.completed, 1000U);
}

TEST(Threads, AnOpenLoopKeepsItsRate) {
  EnginePlan plan = plan_for("randrw4k", seconds(1), 2);
  plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 2000};
  plan.depth = 512;
  const SimRun run = run_threads(plan, "latency=exp:300us", 2);
  expect_conservation(run);
  // Real threads may begin late on a busy machine, and then have less to send; they never send more
  // than is due. The exact count is a matter of virtual time, above.
  const auto due = static_cast<double>(run.total.measured.submitted + run.end.unissued);
  EXPECT_LE(due, 2000 * radosload::seconds(run.end.measured) + 20);
  EXPECT_GE(due, 1000);
}

TEST(Threads, CancellingRacesWithAnswers) {
  EnginePlan plan = plan_for("randrw4k,qd=64", seconds(60), 2);
  plan.drain = seconds(60);
  const SimRun run =
      run_threads(plan, "latency=exp:5ms,lost=0.05", 2, [](Engine& engine, Loop& loop) {
        loop.at(loop.now() + milliseconds(300), [&] { engine.abort("SIGINT"); });
      });
  expect_conservation(run);
  EXPECT_EQ(run.end.unfinished, 0U);
  EXPECT_GT(run.total.measured.cancelled, 0U);
}

TEST(Threads, ATargetThatAnswersAtOnceMakesALoopAndNoRecursion) {
  const SimRun run = run_null(plan_for("randrw4k,qd=64", milliseconds(500), 2), 2);
  expect_conservation(run);
  EXPECT_GT(run.total.measured.completed, 10000U);
}

}  // namespace
}  // namespace radosload::engine
