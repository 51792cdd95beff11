// What a run or a series would do, without a cluster.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "plan/patterns.h"
#include "prepare/preview.h"
#include "prepare/preview_steps.h"

namespace radosload::prepare {
namespace {

using ::testing::ElementsAre;

constexpr const char* program = "radosload test";

RunPlan nowhere_plan(const std::string& pattern) {
  RunPlan plan;
  plan.target = TargetKind::null;
  plan.pattern = plan::parse_pattern(pattern).value();
  plan.seed = 7;
  return plan;
}

record::Series series_of(const std::vector<std::string>& patterns) {
  record::Series series;
  for (const std::string& pattern : patterns) {
    record::SeriesStep step;
    step.name = pattern;
    step.plan = nowhere_plan(pattern);
    series.steps.push_back(std::move(step));
  }
  return series;
}

TEST(Preview, SameSeed_ShowsTheSameFirstOperationsWithinTheObjects) {
  const RunPlan plan = nowhere_plan("randrw4k,size=64M,object-size=1M,qd=4");
  const auto one = preview(plan, program);
  const auto other = preview(plan, program);
  ASSERT_TRUE(one && other);
  ASSERT_FALSE(one->operations.empty());
  ASSERT_EQ(one->operations.size(), other->operations.size());
  for (std::size_t i = 0; i < one->operations.size(); ++i) {
    const Op& op = one->operations[i].op;
    EXPECT_EQ(op.object, other->operations[i].op.object);
    EXPECT_EQ(op.offset, other->operations[i].op.offset);
    EXPECT_LT(op.object, one->layout.objects);
    EXPECT_LE(op.offset + op.length, one->layout.object_size.count);
  }
  EXPECT_FALSE(one->space) << "no cluster has room for it or lacks it";
}

TEST(Preview, NoSeed_OneIsDrawnAndShown) {
  RunPlan plan = nowhere_plan("randread4k,size=64M");
  plan.seed = 0;
  const auto shown = preview(plan, program);
  ASSERT_TRUE(shown);
  EXPECT_NE(shown->header.plan.seed, 0U);
}

TEST(PreviewSteps, StepsWithTheSameObjects_ArePreviewedOnce) {
  const auto groups = preview_steps(
      series_of({"randread4k,size=64M,qd=1", "randread4k,size=32M", "randread4k,size=64M,qd=16"}),
      program);
  ASSERT_TRUE(groups);
  ASSERT_EQ(groups->size(), 2U);
  EXPECT_THAT((*groups)[0].steps, ElementsAre(0, 2));
  EXPECT_THAT((*groups)[1].steps, ElementsAre(1));
  EXPECT_EQ((*groups)[0].preview.layout.total(), Bytes{64U << 20U});
}

TEST(PreviewSteps, StepsWithOtherObjectSizes_ArePreviewedEach) {
  record::Series series = series_of({"randread4k,size=64M", "randread4k,size=64M"});
  ASSERT_EQ(preview_steps(series, program)->size(), 1U);
  series.steps[1].plan.pattern.object_size = Bytes{1U << 20U};
  EXPECT_EQ(preview_steps(series, program)->size(), 2U);
}

}  // namespace
}  // namespace radosload::prepare
