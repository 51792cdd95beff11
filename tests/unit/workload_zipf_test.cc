#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/laws.h"
#include "workload/zipf.h"

namespace radosload::workload {
namespace {

TEST(Zipf, RanksFollowTheLawForSmallSets) {
  for (const std::uint64_t n : {1U, 2U, 3U, 10U, 1000U}) {
    for (const double theta : {0.001, 0.5, 0.99, 1.0, 1.000001, 1.5, 4.0}) {
      const Zipf zipf(n, theta);
      Random random(1, "zipf", n);
      std::vector<std::uint64_t> counts(n);
      // A thousand ranks fill slices; so many draws tell a slice whose ranks were all alike.
      const int draws = n < 1000 ? 100'000 : 2'000'000;
      for (int i = 0; i < draws; ++i) ++counts.at(zipf.draw(random));
      std::vector<double> weights;
      for (std::uint64_t k = 1; k <= n; ++k) {
        weights.push_back(std::pow(static_cast<double>(k), -theta));
      }
      EXPECT_LE(chi_square_excess(counts, weights), 1) << n << " at " << theta;
    }
  }
}

TEST(Zipf, TheShareOfTheHottestIsRightForATerabyteOfBlocks) {
  // 2^28 blocks at theta 0.99: the sum of weights by Euler and Maclaurin from the first 1000 on.
  constexpr std::uint64_t n = std::uint64_t{1} << 28U;
  constexpr double theta = 0.99;
  double sum = 0;
  for (int k = 1; k <= 1000; ++k) sum += std::pow(k, -theta);
  const auto integral = [](double x) { return std::pow(x, 1 - theta) / (1 - theta); };
  sum += integral(static_cast<double>(n) + 0.5) - integral(1000.5);

  const Zipf zipf(n, theta);
  Random random(2);
  constexpr int draws = 1'000'000;
  std::vector<std::uint64_t> first(5);
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t rank = zipf.draw(random);
    ASSERT_LT(rank, n);
    if (rank < first.size()) ++first[rank];
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double p = std::pow(static_cast<double>(i + 1), -theta) / sum;
    EXPECT_NEAR(static_cast<double>(first[i]), draws * p, 4 * std::sqrt(draws * p));
  }
}

RC_GTEST_PROP(Zipf, RanksStayInRangeForAnySetAndExponent, (std::uint64_t seed)) {
  const auto n = *rc::gen::suchThat<std::uint64_t>([](auto v) { return v > 0; });
  const double theta = *rc::gen::inRange(1, 10'000) / 1000.0;
  const Zipf zipf(n, theta);
  Random random(seed);
  for (int i = 0; i < 50; ++i) RC_ASSERT(zipf.draw(random) < n);
}

RC_GTEST_PROP(Scramble, IsAPermutation, (std::uint64_t seed)) {
  const auto n = *rc::gen::inRange<std::uint64_t>(1, 3000);
  const Scramble scramble(n, seed);
  std::vector<bool> taken(n);
  for (std::uint64_t rank = 0; rank < n; ++rank) {
    const std::uint64_t place = scramble(rank);
    RC_ASSERT(place < n);
    RC_ASSERT(!taken[place]);
    taken[place] = true;
  }
}

TEST(Scramble, ScattersNeighboursAndDependsOnTheSeed) {
  // The first 1024 ranks of a million blocks, 1024 to an object: scattered like balls into boxes,
  // they fill 1 - 1/e of the objects.
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Scramble scramble(std::uint64_t{1} << 20U, seed);
    std::vector<bool> touched(1024);
    for (std::uint64_t rank = 0; rank < 1024; ++rank) touched[scramble(rank) / 1024] = true;
    const auto filled = std::count(touched.begin(), touched.end(), true);
    EXPECT_NEAR(static_cast<double>(filled), 1024 * (1 - std::exp(-1)), 60) << seed;
  }
  EXPECT_NE(Scramble(1000, 1)(0), Scramble(1000, 2)(0));
}

}  // namespace
}  // namespace radosload::workload
