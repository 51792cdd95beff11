#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "stats/steady.h"

namespace radosload::stats {
namespace {

bool steady(const std::vector<double>& parts) {
  const auto found = steadiness(parts);
  return found && is_steady(*found);
}

TEST(Steadiness, SlopeAndExcursionAreSharesOfTheMean) {
  const auto found = steadiness(std::vector<double>{80, 90, 100, 110, 120});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->slope, 0.4);
  EXPECT_DOUBLE_EQ(found->excursion, 0.4);
  EXPECT_DOUBLE_EQ(steadiness(std::vector<double>{120, 110, 100, 90, 80})->slope, 0.4);
}

TEST(Steadiness, TrendOfMoreThanATenth_IsNotSteady) {
  EXPECT_TRUE(steady({96, 98, 100, 102, 104}));
  EXPECT_FALSE(steady({94, 97, 100, 103, 106})) << "the excursion alone would pass";
}

TEST(Steadiness, ExcursionOfMoreThanAFifth_IsNotSteady) {
  EXPECT_TRUE(steady({100, 100, 119, 100, 100}));
  EXPECT_FALSE(steady({100, 100, 127, 100, 100})) << "the slope alone would pass";
}

TEST(Steadiness, TooFewPartsOrNoOperations_IsNotJudged) {
  EXPECT_FALSE(steadiness(std::vector<double>{100, 100, 100, 100}));
  EXPECT_FALSE(steadiness(std::vector<double>(steady_parts, 0.0)));
}

RC_GTEST_PROP(Steadiness, UnitsDoNotMatter, ()) {
  std::vector<double> parts;
  for (std::size_t i = 0; i < steady_parts; ++i) parts.push_back(*rc::gen::inRange(1, 1000));
  const auto factor = static_cast<double>(*rc::gen::inRange(1, 1000));
  std::vector<double> scaled = parts;
  for (double& part : scaled) part *= factor;
  const auto one = steadiness(parts);
  const auto other = steadiness(scaled);
  RC_ASSERT(one.has_value() && other.has_value());
  RC_ASSERT(std::abs(one->slope - other->slope) < 1e-9);
  RC_ASSERT(std::abs(one->excursion - other->excursion) < 1e-9);
}

}  // namespace
}  // namespace radosload::stats
