#include <numeric>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "plan/patterns.h"
#include "prepare/engine_plan.h"

namespace radosload::prepare {
namespace {

engine::EnginePlan prefill_for(const std::string& pattern, Bytes rate) {
  RunPlan plan;
  plan.pattern = *plan::parse_pattern(pattern);
  plan.prefill_rate = rate;
  return prefill_plan_for(plan, *engine_plan_for(plan, {}));
}

double bytes_per_second(const engine::EnginePlan& plan) {
  return plan.arrival.ops_per_second * static_cast<double>(plan.layout.prefill_bytes().count) /
         static_cast<double>(plan.layout.prefill_operations());
}

TEST(PrefillPlan, KeepsItsRateForEverySizeOfObjects) {
  for (const char* const objects : {"4k", "16k", "1M", "4M", "6M"}) {
    const auto plan =
        prefill_for(std::string("randread4k,size=96M,object-size=") + objects, mib(20));
    EXPECT_EQ(plan.arrival.law, Arrival::Law::constant);
    EXPECT_DOUBLE_EQ(bytes_per_second(plan), static_cast<double>(mib(20).count)) << objects;
  }
}

TEST(PrefillPlan, WithoutARate_IsNotLimited) {
  EXPECT_EQ(prefill_for("randread4k,size=96M", {}).arrival.law, Arrival::Law::closed);
}

// What lies in the queues of slow disks must not get old there, and payloads take memory.
TEST(PrefillPlan, InFlightFollowsTheLatencyAndHasABound) {
  for (const char* const objects : {"4k", "4M", "64M"}) {
    const auto plan = prefill_for(std::string("randread4k,size=1G,object-size=") + objects, {});
    EXPECT_TRUE(plan.adaptive) << objects;
    EXPECT_LE(plan.depth * plan.layout.longest_prefill().count, mib(64).count) << objects;
    EXPECT_GE(plan.depth, 16U) << objects;
    EXPECT_LE(plan.depth, 64U) << objects;
  }
}

TEST(PrefillPlan, WholeObjectsOfAPoolWithoutOverwrites_AreFewerAtATime) {
  RunPlan plan;
  plan.pattern = *plan::parse_pattern("randread4k,size=1G,object-size=32M");
  const auto load = engine_plan_for(plan, {.overwrites = false});
  EXPECT_EQ(prefill_plan_for(plan, *load).depth, 2U);
}

TEST(PrefillPlan, SeveralClients_EachHasItsShareUpToABoundForAll) {
  RunPlan plan;
  plan.pattern = *plan::parse_pattern("randread4k,size=4G");
  for (const auto& [clients, depth] : {std::pair{1U, 16U}, {2U, 32U}, {4U, 64U}, {100U, 100U}}) {
    plan.clients = clients;
    EXPECT_EQ(prefill_plan_for(plan, *engine_plan_for(plan, {})).depth, depth) << clients;
  }
}

TEST(PrefillPlan, TheLoadItselfKeepsItsDepth) {
  RunPlan plan;
  plan.pattern = *plan::parse_pattern("randread4k");
  EXPECT_FALSE(engine_plan_for(plan, {})->adaptive);
}

Result<engine::EnginePlan> plan_on(std::uint32_t clients, std::size_t osds,
                                   std::uint32_t depth = 20'000) {
  RunPlan plan;
  plan.pattern = *plan::parse_pattern("randread4k");
  plan.pattern.queue_depth = depth;
  plan.clients = clients;
  std::vector<std::int32_t> pinned(osds);
  std::iota(pinned.begin(), pinned.end(), 0);
  return engine_plan_for(plan, {}, pinned);
}

TEST(PlanOfLanes, ClientsTimesOsdsAreNotMoreThanARunCanHave) {
  EXPECT_TRUE(plan_on(18'000, 0));
  EXPECT_TRUE(plan_on(18, 1000, 100));
  const auto refused = plan_on(19, 1000, 100);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::usage);
  EXPECT_THAT(refused.error().message(),
              ::testing::AllOf(::testing::HasSubstr("19 clients on 1000 OSDs"),
                               ::testing::HasSubstr("19000 lanes; the limit is 18000"),
                               ::testing::HasSubstr("lower --clients")));
}

TEST(PlanOfLanes, DepthTimesOsdsAreNotMoreThanARunCanHave) {
  EXPECT_TRUE(plan_on(1, 1000, 1000));
  const auto refused = plan_on(1, 5000, 1'000'000);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().exit, Exit::usage);
  EXPECT_THAT(refused.error().message(),
              ::testing::HasSubstr("5000000000 operations in flight; the limit is 1000000"));
}

// The dry run and the run take their layout from the same function: for images of several clients
// only one of them knew that each has its own.
TEST(LayoutFor, ImagesOfSeveralClients_AreGroupsOfTheirOwn) {
  RunPlan plan;
  plan.target = TargetKind::rbd;
  plan.pattern = *plan::parse_pattern("randread4k,size=64M");
  const auto groups = [&plan](std::uint32_t clients, std::vector<std::string> images,
                              const std::vector<std::int32_t>& osds = {}) {
    plan.clients = clients;
    plan.images.names = std::move(images);
    const auto load = engine_plan_for(plan, {}, osds);
    EXPECT_EQ(load->layout.groups, layout_for(plan, {}, osds)->groups);
    return load->layout.groups;
  };
  EXPECT_EQ(groups(2, {"a", "b", "c", "d"}), 4U);
  EXPECT_EQ(groups(3, {}), 3U) << "made without names, one for each client";
  EXPECT_EQ(groups(2, {"a"}), 1U);
  EXPECT_EQ(groups(1, {"a", "b"}), 1U);
  EXPECT_EQ(groups(1, {"a", "b"}, {3, 5, 7}), 3U);
  plan.target = TargetKind::rados;
  EXPECT_EQ(groups(4, {}), 1U);
}

}  // namespace
}  // namespace radosload::prepare
