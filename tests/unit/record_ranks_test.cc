#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/ranks.h"

namespace radosload::record {
namespace {

constexpr std::uint64_t ms = 1'000'000;

Histogram of(const std::vector<std::uint64_t>& values) {
  Histogram histogram;
  for (const std::uint64_t value : values) histogram.add(value);
  return histogram;
}

std::vector<std::uint64_t> times(std::size_t count, std::uint64_t value) {
  return std::vector<std::uint64_t>(count, value);
}

TEST(Ranks, LostFifth_CountsInThePercentiles) {
  // 8,000 of 1 ms, and 2,000 given up after 8 s.
  const Histogram answered = of(times(8000, ms));
  const Histogram lost = of(times(2000, 8000 * ms));
  const Ranks ranks(answered, lost);
  EXPECT_EQ(ranks.percentile(p50), (Ranked{Ranked::Kind::exact, ms}));
  for (const Quantile quantile : {p90, p99, p999}) {
    EXPECT_EQ(ranks.percentile(quantile), (Ranked{Ranked::Kind::beyond, 8000 * ms}));
    EXPECT_EQ(ranks.percentile(quantile).exact(), std::nullopt);
  }
  EXPECT_EQ(ranks.max(), (Ranked{Ranked::Kind::beyond, 8000 * ms}));
}

TEST(Ranks, AnAnswerThatTookLongerThanTheLostOnesWaitedIsExact) {
  const Histogram answered = of({1 * ms, 2 * ms, 3 * ms, 4 * ms, 5 * ms, 900 * ms});
  const Histogram lost = of({100 * ms});
  const Ranks ranks(answered, lost);
  EXPECT_EQ(ranks.max(), (Ranked{Ranked::Kind::exact, 900 * ms}));
  EXPECT_EQ(ranks.value_at({850'000}).kind, Ranked::Kind::beyond);
  EXPECT_EQ(ranks.value_at({1'000'000}), (Ranked{Ranked::Kind::exact, 900 * ms}));
}

TEST(Ranks, LostOperationsCountForHowManyThereAre) {
  const Histogram answered = of(times(300, ms));
  const Histogram lost = of(times(68, 8000 * ms));
  EXPECT_EQ(Ranks(answered, {}).percentile(p99), Ranked{});
  EXPECT_EQ(Ranks(answered, lost).percentile(p99).kind, Ranked::Kind::beyond);
  EXPECT_EQ(Ranks(Histogram(), Histogram()).max(), Ranked{});
}

RC_GTEST_PROP(Ranks, AreThoseOfTheSortedListOfBoth, ()) {
  const auto values = rc::gen::container<std::vector<std::uint64_t>>(
      rc::gen::inRange<std::uint64_t>(0, Histogram::index_of(2000)));
  const auto answered = *values;
  const auto lost = *values;
  RC_PRE(answered.size() + lost.size() > 0);
  std::vector<std::pair<std::uint64_t, Ranked::Kind>> sorted;
  for (const auto value : answered) sorted.emplace_back(value, Ranked::Kind::exact);
  for (const auto value : lost) sorted.emplace_back(value, Ranked::Kind::beyond);
  std::sort(sorted.begin(), sorted.end());
  const Quantile quantile{*rc::gen::inRange(1U, 1'000'001U)};
  const auto [value, kind] = sorted[nearest_rank(quantile, sorted.size()) - 1];
  const Histogram one = of(answered);
  const Histogram other = of(lost);
  RC_ASSERT(Ranks(one, other).value_at(quantile) == (Ranked{kind, value}));
}

}  // namespace
}  // namespace radosload::record
