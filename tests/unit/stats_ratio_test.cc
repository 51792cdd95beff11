// Joules for each operation with their interval: known sums, and the rate of wrong intervals in
// simulated series.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "stats/ratio.h"

namespace radosload::stats {
namespace {

std::vector<RatioPart> alike(std::size_t seconds, double over, double under) {
  return std::vector<RatioPart>(seconds, RatioPart{.seconds = 1, .over = over, .under = under});
}

TEST(RatioOfSums, IsTheSumsDivided) {
  const auto ratio = ratio_of_sums(alike(20, 100, 50));
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(ratio->value, 2);
  EXPECT_NEAR(ratio->low.value(), 2, 1e-12) << "every second is the same";
  EXPECT_NEAR(ratio->high.value(), 2, 1e-12);
}

TEST(RatioOfSums, SubtractedRate_IsTakenFromEachSecond) {
  const auto ratio = ratio_of_sums(alike(20, 100, 50), {.per_second = 40});
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(ratio->value, 1.2);
}

TEST(RatioOfSums, FewSecondsOrUnknownIdle_HasNoInterval) {
  EXPECT_FALSE(ratio_of_sums({}));
  EXPECT_FALSE(ratio_of_sums(alike(20, 100, 0))) << "no operation";
  const auto four = ratio_of_sums(alike(4, 100, 50));
  ASSERT_TRUE(four);
  EXPECT_FALSE(four->low || four->high);
  EXPECT_TRUE(ratio_of_sums(alike(5, 100, 50))->low);
  const auto unknown =
      ratio_of_sums(alike(20, 100, 50), {.per_second = 40, .variance = std::nullopt});
  EXPECT_FALSE(unknown->low || unknown->high);
}

// Two halves of 90 and 110 J at 50 operations a second: ten batches of which five lie 0.2 J/op
// below 2 and five as far above.
TEST(RatioOfSums, Interval_IsThatOfTenBatchMeans) {
  std::vector<RatioPart> parts = alike(10, 90, 50);
  for (const RatioPart& part : alike(10, 110, 50)) parts.push_back(part);
  const auto ratio = ratio_of_sums(parts);
  ASSERT_TRUE(ratio);
  EXPECT_DOUBLE_EQ(ratio->value, 2);
  constexpr double t_of_9 = 2.262157;
  const double deviation = 0.2 * std::sqrt(10.0 / 9.0) / std::sqrt(10.0);
  EXPECT_NEAR(ratio->high.value() - 2, t_of_9 * deviation, 1e-5);
}

TEST(RatioOfSums, UncertainIdle_WidensTheInterval) {
  const auto sure = ratio_of_sums(alike(20, 100, 50), {.per_second = 40});
  const auto unsure =
      ratio_of_sums(alike(20, 100, 50), {.per_second = 40, .variance = 4.0, .degrees = 4});
  EXPECT_NEAR(sure->high.value() - sure->low.value(), 0, 1e-12);
  // 2 W of deviation in each second are 0.04 J of each operation; Student's factor of 4 degrees.
  EXPECT_NEAR(unsure->high.value() - unsure->value, 2.776445 * 0.04, 1e-5);
}

// Of a long run the past has rows of a minute: they are not one batch each.
TEST(RatioOfSums, PartsOfOtherLengths_CountByTheirTime) {
  std::vector<RatioPart> parts;
  for (int i = 0; i < 6; ++i) parts.push_back({.seconds = 60, .over = 6000, .under = 3000});
  for (const RatioPart& part : alike(60, 100, 50)) parts.push_back(part);
  const auto ratio = ratio_of_sums(parts);
  EXPECT_DOUBLE_EQ(ratio->value, 2);
  EXPECT_NEAR(ratio->high.value(), 2, 1e-12);
}

RC_GTEST_PROP(RatioOfSums, HoldsItsValueAndScalesWithTheUnit, ()) {
  std::vector<RatioPart> parts;
  const auto count = *rc::gen::inRange<std::size_t>(5, 40);
  for (std::size_t i = 0; i < count; ++i) {
    parts.push_back({.seconds = 1,
                     .over = static_cast<double>(*rc::gen::inRange(0, 1000)),
                     .under = static_cast<double>(*rc::gen::inRange(1, 1000))});
  }
  const auto ratio = ratio_of_sums(parts);
  RC_ASSERT(ratio.has_value() && ratio->low && ratio->high);
  RC_ASSERT(*ratio->low <= ratio->value && ratio->value <= *ratio->high);
  for (RatioPart& part : parts) part.over *= 1000;
  const auto scaled = ratio_of_sums(parts);
  RC_ASSERT(std::abs(scaled->value - 1000 * ratio->value) <= 1e-9 * scaled->value);
  RC_ASSERT(std::abs(*scaled->high - 1000 * *ratio->high) <= 1e-9 * *scaled->high);
}

// Seconds that follow each other are alike (correlation 0.7): an interval from single seconds would
// hold the truth in about 60 % of all runs.
TEST(RatioOfSums, OfAutocorrelatedSeconds_HoldsTheTruthMostly) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  constexpr int runs = 2000;
  constexpr double truth = 2;
  int held = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<RatioPart> parts;
    double noise = normal(random);
    for (int second = 0; second < 120; ++second) {
      noise = 0.7 * noise + std::sqrt(1 - 0.49) * normal(random);
      parts.push_back({.seconds = 1, .over = 100 + 5 * noise, .under = 50});
    }
    const auto ratio = ratio_of_sums(parts);
    held += *ratio->low <= truth && truth <= *ratio->high ? 1 : 0;
  }
  EXPECT_GT(held, runs * 0.90);
  EXPECT_LT(held, runs * 0.97);
}

}  // namespace
}  // namespace radosload::stats
