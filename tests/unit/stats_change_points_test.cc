#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/change_points.h"

namespace radosload::stats {
namespace {

double gauss(Random& random) {
  constexpr double turn = 6.283185307179586;
  return std::sqrt(-2 * std::log(random.positive_unit())) * std::cos(turn * random.unit());
}

// `at` values around 0, the others around `shift`.
std::vector<double> stepped(std::size_t size, std::size_t at, double shift, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> series;
  for (std::size_t i = 0; i < size; ++i) {
    series.push_back(0.1 * gauss(random) + (i < at ? 0 : shift));
  }
  return series;
}

// The definition, without the sums that are carried along.
double distance_at(const std::vector<double>& series, std::size_t at) {
  const auto left = static_cast<double>(at);
  const auto right = static_cast<double>(series.size() - at);
  double between = 0;
  double within_left = 0;
  double within_right = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t j = i + 1; j < series.size(); ++j) {
      const double apart = std::abs(series[i] - series[j]);
      if (j < at) {
        within_left += apart;
      } else if (i < at) {
        between += apart;
      } else {
        within_right += apart;
      }
    }
  }
  const double energy = 2 * between / (left * right) - within_left / (left * (left - 1) / 2) -
                        within_right / (right * (right - 1) / 2);
  return energy * left * right / (left + right);
}

TEST(ChangePoints, MostDivided_IsTheSplitOfGreatestEnergyDistance) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto series = stepped(40, 15 + seed % 10, 0.1, seed);
    const auto at = most_divided(series, 5, 6);
    ASSERT_TRUE(at);
    EXPECT_GE(*at, 5U);
    EXPECT_LE(*at, 34U);
    for (std::size_t other = 5; other <= 34; ++other) {
      EXPECT_LE(distance_at(series, other), distance_at(series, *at) + 1e-9) << seed;
    }
  }
}

TEST(ChangePoints, SplitAt_HasStudentsStatistic) {
  // Means 2 and 6, pooled variance (2 + 2) / 4 = 1: t = 4 / sqrt(1/3 + 1/3).
  const std::vector<double> series = {1, 2, 3, 5, 6, 7};
  const Split split = split_at(series, 3);
  EXPECT_DOUBLE_EQ(split.shift, 4);
  EXPECT_NEAR(split.t, 4 / std::sqrt(2.0 / 3), 1e-12);
}

TEST(ChangePoints, CriticalT_IsThatOfTables) {
  EXPECT_NEAR(critical_t(10, 0.05), 2.228, 0.001);
  EXPECT_NEAR(critical_t(120, 0.001), 3.373, 0.001);
}

TEST(ChangePoints, Step_IsFoundWhereItIs) {
  for (const double shift : {0.5, -0.5}) {
    const auto found = find_change(stepped(60, 40, shift, 7), {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->at, 40U);
    EXPECT_NEAR(found->shift, shift, 0.1);
  }
}

TEST(ChangePoints, SeriesWithoutAStep_HasNoChange) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    EXPECT_FALSE(find_change(stepped(120, 120, 0, seed), {})) << seed;
  }
}

TEST(ChangePoints, ChangeThatIsTooSmall_IsNone) {
  const auto series = stepped(60, 40, 0.5, 7);
  EXPECT_TRUE(find_change(series, {.least_shift = 0.3}));
  EXPECT_FALSE(find_change(series, {.least_shift = 0.8}));
}

TEST(ChangePoints, FewFarOutliers_AreNoChange) {
  auto series = stepped(60, 60, 0, 3);
  for (const std::size_t i : {52U, 54U, 57U, 59U}) series[i] += 2;
  const Split split = split_at(series, 52);
  EXPECT_GT(split.t, critical_t(58, 1e-7)) << "the t-test alone would believe it";
  EXPECT_LT(share_beyond(series, split), 0.8);
  EXPECT_FALSE(find_change(series, {}));
}

TEST(ChangePoints, ChangeThatIsYoung_IsReportedOnlyWithAllItsValues) {
  const auto series = stepped(60, 52, 3, 7);
  for (std::size_t size = 53; size < 58; ++size) {
    EXPECT_FALSE(find_change(std::span(series).first(size), {})) << size;
  }
  const auto found = find_change(std::span(series).first(58), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at, 52U) << "not earlier, to have enough values after it";
}

TEST(ChangePoints, TooFewValues_HaveNoChange) {
  EXPECT_FALSE(find_change(stepped(29, 24, 5, 1), {}));
  EXPECT_TRUE(find_change(stepped(30, 24, 5, 1), {}));
  EXPECT_FALSE(find_change({}, {}));
  EXPECT_FALSE(most_divided({}, 1, 1));
}

TEST(ChangePoints, ConstantValues_ChangeOnlyWhenTheyDo) {
  std::vector<double> series(60, 2.5);
  EXPECT_FALSE(find_change(series, {}));
  for (std::size_t i = 40; i < 60; ++i) series[i] = 3;
  const auto found = find_change(series, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at, 40U);
  EXPECT_EQ(found->t, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace radosload::stats
