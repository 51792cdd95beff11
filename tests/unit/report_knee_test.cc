// Where a sweep of load has its knee, and where it has none.
#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/knee.h"
#include "report/series_text.h"
#include "support/golden.h"
#include "unit/report_support.h"

#include <fmt/format.h>

namespace radosload::report {
namespace {

using record::Series;
using record::SeriesStep;
using record::StepState;
using testing::run_of;
using testing::Scenario;

SeriesStep load_step(const SeriesStep::Settings& settings, int iops) {
  SeriesStep step;
  for (const auto& [key, value] : settings) {
    step.name += fmt::format("{}{}={}", step.name.empty() ? "" : " ", key, value);
  }
  step.settings = settings;
  step.state = StepState::done;
  Scenario scenario;
  scenario.seconds = 2;
  scenario.ops_per_second = iops;
  step.plan = plan::testing::plan_of(scenario.plan);
  step.record = run_of(scenario);
  return step;
}

// Steps "qd=1", "qd=2", "qd=4", ... with these throughputs.
Series sweep_of(const std::vector<int>& iops, const std::string& key = "qd") {
  Series series;
  series.id = "s20261121-040012-9f3a";
  series.started = "2026-11-21T04:00:12Z";
  series.program = "radosload 0.1.0";
  series.title = "randrw4k," + key + "=...";
  int load = 1;
  for (const int each : iops) {
    series.steps.push_back(load_step({{key, std::to_string(load)}}, each));
    load *= 2;
  }
  return series;
}

TEST(Knee, IsTheLowestLoadThatReachesNinetyPercentOfTheBest) {
  const auto knees = knees_of(sweep_of({100, 200, 370, 400, 390}));
  ASSERT_EQ(knees.size(), 1U);
  EXPECT_EQ(knees[0].step, 2U);
  EXPECT_EQ(knees[0].best, 3U);
  EXPECT_FALSE(knees[0].highest);
}

TEST(Knee, StepsMayStandInAnyOrder) {
  Series series = sweep_of({100, 200, 370, 400});
  std::reverse(series.steps.begin(), series.steps.end());
  ASSERT_EQ(knees_of(series).size(), 1U);
  EXPECT_EQ(knees_of(series)[0].step, 1U);
}

TEST(Knee, AThroughputThatStillRises_HasNone) {
  const Series series = sweep_of({100, 200, 300, 400});
  ASSERT_EQ(knees_of(series).size(), 1U);
  EXPECT_TRUE(knees_of(series)[0].highest);
  const std::string text = series_text(series, "");
  EXPECT_EQ(text.find("<- knee"), std::string::npos) << text;
  EXPECT_NE(text.find("knee      not reached: throughput still rises at qd=8"), std::string::npos)
      << text;
}

TEST(Knee, IsLookedForInSweepsOfLoadOnly) {
  EXPECT_EQ(knees_of(sweep_of({100, 370, 400}, "clients")).size(), 1U);
  EXPECT_EQ(knees_of(sweep_of({100, 370, 400}, "rate")).size(), 1U);
  EXPECT_TRUE(knees_of(sweep_of({100, 370, 400}, "bs")).empty());
  EXPECT_TRUE(knees_of(sweep_of({370, 400})).empty()) << "two points have no knee";
  Series two = sweep_of({100, 370, 400});
  for (std::size_t i = 0; i < two.steps.size(); ++i) {
    two.steps[i].settings.emplace_back("clients", std::to_string(i + 1));
  }
  EXPECT_TRUE(knees_of(two).empty()) << "two kinds of load vary at once";
}

TEST(Knee, StepsThatAreNotDone_DoNotCount) {
  Series series = sweep_of({100, 370, 400});
  series.steps[1].state = StepState::interrupted;
  EXPECT_TRUE(knees_of(series).empty());
}

TEST(Knee, EachBlockSizeHasItsOwn) {
  Series series;
  for (const auto& [size, iops] : std::vector<std::pair<std::string, std::vector<int>>>{
           {"4k", {100, 390, 400}}, {"64k", {95, 98, 100}}}) {
    for (std::size_t i = 0; i < iops.size(); ++i) {
      series.steps.push_back(load_step({{"bs", size}, {"qd", std::to_string(1U << i)}}, iops[i]));
    }
  }
  const auto knees = knees_of(series);
  ASSERT_EQ(knees.size(), 2U);
  EXPECT_EQ(series.steps[knees[0].step].name, "bs=4k qd=2");
  EXPECT_EQ(series.steps[knees[1].step].name, "bs=64k qd=1");
}

TEST(Knee, IsMarkedInTheTable) {
  test::expect_golden("series-knee.txt", series_text(sweep_of({100, 200, 370, 400, 390}), ""));
}

RC_GTEST_PROP(Knee, NoLowerLoadReachesNinetyPercentOfTheBest, ()) {
  const auto iops = *rc::gen::container<std::vector<int>>(5, rc::gen::inRange(10, 60));
  const Series series = sweep_of(iops);
  const auto knees = knees_of(series);
  RC_ASSERT(knees.size() == 1U);
  const int best = *std::max_element(iops.begin(), iops.end());
  RC_ASSERT(iops[knees[0].step] >= 0.9 * best);
  for (std::size_t i = 0; i < knees[0].step; ++i) RC_ASSERT(iops[i] < 0.9 * best);
}

}  // namespace
}  // namespace radosload::report
