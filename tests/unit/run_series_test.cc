// What a series makes of its steps, when it begins and when it is resumed.
#include <set>

#include <gtest/gtest.h>

#include "plan/patterns.h"
#include "run/series_runner.h"

namespace radosload::run {
namespace {

RunPlan plan_of(const std::string& pattern) {
  RunPlan plan;
  plan.pool = "hdd";
  plan.pattern = *plan::parse_pattern(pattern);
  return plan;
}

record::Series two_steps(std::uint64_t seed, const std::string& pattern = "randrw4k") {
  std::vector<record::SeriesStep> steps(2);
  steps[0].name = "a";
  steps[1].name = "b";
  for (record::SeriesStep& step : steps) {
    step.plan = plan_of(pattern);
    step.plan.seed = seed;
  }
  return new_series(steps, "radosload test");
}

TEST(SeriesPlans, EveryStepDrawsFromASeedOfItsOwn) {
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t seed : {0U, 0U, 7U}) {
    for (const record::SeriesStep& step : two_steps(seed).steps) seeds.insert(step.plan.seed);
  }
  EXPECT_EQ(seeds.size(), 6U);
  EXPECT_FALSE(seeds.contains(0));
  EXPECT_EQ(two_steps(7).steps[1].plan.seed, two_steps(7).steps[1].plan.seed)
      << "a given seed repeats";
  EXPECT_LT(*seeds.rbegin(), std::uint64_t{1} << 53U);
}

TEST(SeriesPlans, ResumingTakesTheSeedsThatWereDrawn) {
  const record::Series begun = two_steps(0);
  const auto alone = resume(begun);
  ASSERT_TRUE(alone) << alone.error().message();
  EXPECT_EQ(*alone, begun);
  auto words = begun.steps;
  for (record::SeriesStep& step : words) step.plan.seed = 0;
  const auto again = resume(begun, words);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, begun);
  EXPECT_FALSE(resume(begun, two_steps(0, "randread4k").steps));
}

TEST(SeriesPlans, OptionsThatDoNotAffectFigures_AreTakenFromTheCommandLine) {
  const record::Series begun = two_steps(0);
  auto words = begun.steps;
  for (record::SeriesStep& step : words) {
    step.plan.seed = 0;
    step.plan.cluster.conf = "/elsewhere";
  }
  const auto again = resume(begun, words);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->steps[1].plan.cluster.conf, "/elsewhere");
}

TEST(SeriesPlans, APlanThatCannotBeRunIsNotResumed) {
  record::Series begun = two_steps(0);
  begun.steps[1].plan.pattern = {};
  EXPECT_NE(resume(begun).error().message().find("has no pattern"), std::string::npos);
  begun.steps[1].plan = begun.steps[0].plan;
  begun.steps[1].plan.keep = true;
  begun.steps[1].plan.target = TargetKind::sim;
  EXPECT_FALSE(resume(begun));
}

TEST(SeriesPlans, NoTimeLimit_LengthIsUnknown) {
  RunPlan plan = plan_of("randrw4k");
  EXPECT_EQ(planned_length(plan), std::chrono::seconds(65));
  plan.extent.time = Time(0);
  EXPECT_EQ(planned_length(plan), Time(0));
}

}  // namespace
}  // namespace radosload::run
