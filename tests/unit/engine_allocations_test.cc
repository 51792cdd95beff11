// In the steady state an operation costs no allocation of ours: ten times as many operations must
// not take noticeably more of them. What remains comes once a second, with its interval.
#include <gtest/gtest.h>

#include "support/allocations.h"
#include "support/sim_run.h"

namespace radosload::engine {
namespace {

constexpr std::uint64_t some = 20'000;
constexpr std::uint64_t many = 10 * some;

template <typename Run>
std::size_t allocations_of(std::uint64_t ops, Run run) {
  auto plan = test::plan_for("randrw4k,dist=zipf,qd=16", Time(0));
  plan.extent.ops = ops;
  const std::size_t before = test::allocations();
  const test::SimRun done = run(plan);
  EXPECT_EQ(done.total.measured.submitted, ops);
  return test::allocations() - before;
}

template <typename Run>
void expect_none_per_operation(Run run) {
  const std::size_t few = allocations_of(some, run);
  const std::size_t more = allocations_of(many, run);
  EXPECT_LT(more, few + (many - some) / 20) << few << " for " << some << " operations";
}

TEST(Allocations, NoneForAnOperationOnTheNullTarget) {
  expect_none_per_operation([](const EnginePlan& plan) { return test::run_null(plan, 1); });
}

TEST(Allocations, NoneForAnOperationOnTheSimulatedTarget) {
  expect_none_per_operation([](const EnginePlan& plan) {
    return test::run_virtual(plan, "latency=exp:1ms,osds=7,error=EIO:0.001");
  });
}

TEST(Allocations, NoneForAnOperationOfAnOpenLoop) {
  expect_none_per_operation([](EnginePlan plan) {
    plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 100'000};
    return test::run_virtual(plan, "latency=const:100us");
  });
}

}  // namespace
}  // namespace radosload::engine
