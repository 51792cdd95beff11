#include <gtest/gtest.h>

#include "run/plan_parts.h"
#include "workload/patterns.h"

namespace radosload::run {
namespace {

engine::EnginePlan prefill_for(const std::string& pattern, Bytes rate) {
  RunPlan plan;
  plan.pattern = *workload::parse_pattern(pattern);
  plan.prefill_rate = rate;
  return prefill_plan_for(plan, *engine_plan_for(plan, {}));
}

double bytes_per_second(const engine::EnginePlan& plan) {
  return plan.arrival.ops_per_second * static_cast<double>(plan.layout.prefill_bytes().count) /
         static_cast<double>(plan.layout.prefill_operations());
}

TEST(PrefillPlan, KeepsItsRateWhateverTheSizeOfTheObjects) {
  for (const char* const objects : {"4k", "16k", "1M", "4M", "6M"}) {
    const auto plan =
        prefill_for(std::string("randread4k,size=96M,object-size=") + objects, mib(20));
    EXPECT_EQ(plan.arrival.law, Arrival::Law::constant);
    EXPECT_DOUBLE_EQ(bytes_per_second(plan), static_cast<double>(mib(20).count)) << objects;
  }
}

TEST(PrefillPlan, WithoutARateItIsAsFastAsItGoes) {
  EXPECT_EQ(prefill_for("randread4k,size=96M", {}).arrival.law, Arrival::Law::closed);
}

// What lies in the queues of slow disks must not get old there.
TEST(PrefillPlan, LittleIsInFlightAtATime) {
  for (const char* const objects : {"4k", "4M", "64M"}) {
    const auto plan = prefill_for(std::string("randread4k,size=1G,object-size=") + objects, {});
    EXPECT_LE(plan.depth * plan.layout.prefill_chunk.count, mib(16).count) << objects;
    EXPECT_GT(plan.depth, 1U) << objects;
  }
}

}  // namespace
}  // namespace radosload::run
