#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/histogram.h"

namespace radosload::record {
namespace {

// Spread over all octaves, as latencies are; uniform integers would all lie in the topmost ones.
rc::Gen<std::uint64_t> latencies() {
  return rc::gen::apply([](unsigned shift, std::uint64_t bits) { return bits >> shift; },
                        rc::gen::inRange(19U, 64U), rc::gen::arbitrary<std::uint64_t>());
}

rc::Gen<std::vector<std::uint64_t>> many_latencies() {
  return rc::gen::container<std::vector<std::uint64_t>>(latencies());
}

Histogram counted(const std::vector<std::uint64_t>& values) {
  Histogram histogram;
  for (const std::uint64_t value : values) histogram.add(value);
  return histogram;
}

std::uint64_t count_of(const Histogram& histogram, std::uint64_t value) {
  std::uint64_t found = 0;
  histogram.for_each([&](std::size_t index, std::uint64_t count) {
    if (index == Histogram::index_of(value)) found = count;
  });
  return found;
}

TEST(Histogram, Empty_HasNoPercentiles) {
  const Histogram empty;
  EXPECT_EQ(empty.count(), 0U);
  EXPECT_EQ(empty.min(), 0U);
  EXPECT_EQ(empty.max(), 0U);
  EXPECT_EQ(empty.mean(), 0);
  EXPECT_EQ(empty.stddev(), 0);
  EXPECT_EQ(empty.value_at(p50), 0U);
  EXPECT_FALSE(empty.percentile(p50));
}

TEST(Histogram, BucketsTileTheRangeWithoutGapOrOverlap) {
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < Histogram::bucket_count; ++i) {
    ASSERT_EQ(Histogram::lowest_in(i), next);
    next = Histogram::highest_in(i) + 1;
    ASSERT_EQ(Histogram::index_of(Histogram::lowest_in(i)), i);
    ASSERT_EQ(Histogram::index_of(Histogram::highest_in(i)), i);
  }
  EXPECT_EQ(next, Histogram::highest + 1);
}

TEST(Histogram, ValuesBeyondTheRangeSaturateButTheMaximumIsExact) {
  Histogram histogram;
  const std::uint64_t day = 86'400'000'000'000;
  histogram.add(day);
  histogram.add(1);
  EXPECT_EQ(histogram.count(), 2U);
  EXPECT_EQ(histogram.max(), day);
  EXPECT_EQ(histogram.sum(), day + 1);
  EXPECT_EQ(histogram.value_at(p99), Histogram::highest);
}

TEST(Histogram, RanksAreNearestAndExact) {
  Histogram histogram;
  for (std::uint64_t value = 1; value <= 1000; ++value) histogram.add(value);
  EXPECT_EQ(histogram.value_at(p50), 500U);
  EXPECT_EQ(histogram.value_at(p99), 990U);
  EXPECT_EQ(histogram.value_at(p999), 999U);  // 0.999 * 1000 in doubles is above 999
  EXPECT_EQ(histogram.value_at(p9999), 1000U);
  EXPECT_EQ(histogram.value_at({0}), 1U);
  EXPECT_EQ(histogram.value_at({1'000'000}), 1000U);
}

TEST(Histogram, MeanAndDeviationOfAKnownSet) {
  const Histogram histogram = counted({2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(histogram.mean(), 5);
  EXPECT_DOUBLE_EQ(histogram.stddev(), 2);
}

TEST(Histogram, EqualValues_DoNotDeviate) {
  for (const std::uint64_t value : {3U, 2'000'000U, 20'000'001U}) {
    EXPECT_EQ(counted({value, value, value}).stddev(), 0) << value;
  }
}

TEST(Histogram, PercentilesNeedOperationsBehindThem) {
  EXPECT_EQ(operations_needed(p50), 6U);
  EXPECT_EQ(operations_needed(p99), 368U);       // the figures of the statistics literature:
  EXPECT_EQ(operations_needed(p999), 3688U);     // n >= ln(0.025) / ln(q)
  EXPECT_EQ(operations_needed({10'000}), 368U);  // p1 is as hard as p99
  Histogram histogram;
  for (int i = 0; i < 367; ++i) histogram.add(1000);
  EXPECT_FALSE(histogram.percentile(p99));
  histogram.add(1000);
  EXPECT_EQ(histogram.percentile(p99), 1000U);
  EXPECT_FALSE(histogram.percentile(p999));
}

RC_GTEST_PROP(Histogram, EveryPercentileIsWithinAThousandth, ()) {
  auto values = *rc::gen::nonEmpty(many_latencies());
  const Histogram histogram = counted(values);
  std::sort(values.begin(), values.end());
  for (const Quantile q : {p50, p90, p95, p99, p999, p9999}) {
    const std::size_t rank = (values.size() * q.ppm + 999'999) / 1'000'000;
    const std::uint64_t exact = values[std::max<std::size_t>(rank, 1) - 1];
    const std::uint64_t found = histogram.value_at(q);
    RC_ASSERT(found >= exact);
    RC_ASSERT(found - exact <= exact / 1000);
  }
}

RC_GTEST_PROP(Histogram, CountSumAndEndsAreExact, ()) {
  const auto values = *rc::gen::nonEmpty(many_latencies());
  const Histogram histogram = counted(values);
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  RC_ASSERT(histogram.count() == values.size());
  RC_ASSERT(histogram.sum() == sum);
  RC_ASSERT(histogram.min() == *std::min_element(values.begin(), values.end()));
  RC_ASSERT(histogram.max() == *std::max_element(values.begin(), values.end()));
}

RC_GTEST_PROP(Histogram, MergedPartsAreTheWhole, ()) {
  const auto first = *many_latencies();
  const auto second = *many_latencies();
  auto both = first;
  both.insert(both.end(), second.begin(), second.end());
  Histogram merged = counted(first);
  merged.merge(counted(second));
  RC_ASSERT(merged == counted(both));
}

RC_GTEST_PROP(Histogram, BucketsCarryEveryCount, ()) {
  const auto values = *many_latencies();
  std::map<std::size_t, std::uint64_t> expected;
  for (const std::uint64_t value : values) ++expected[Histogram::index_of(value)];
  std::map<std::size_t, std::uint64_t> found;
  std::size_t previous = 0;
  counted(values).for_each([&](std::size_t index, std::uint64_t count) {
    RC_ASSERT(found.empty() || index > previous);
    previous = index;
    found[index] = count;
  });
  RC_ASSERT(found == expected);
}

// A bucket has one byte until it has counted 256.
TEST(Histogram, Buckets_CountAboveOneByte) {
  constexpr std::uint64_t often = 5000;
  constexpr std::uint64_t once = 7'000'000;
  for (const std::uint64_t count : {255U, 256U, 257U, 65'535U, 65'536U, 100'000U}) {
    Histogram histogram;
    for (std::uint64_t i = 0; i < count; ++i) histogram.add(often);
    histogram.add(once);
    EXPECT_EQ(count_of(histogram, often), count);
    EXPECT_EQ(count_of(histogram, once), 1U);
    Histogram sum = histogram;
    sum.merge(histogram);
    EXPECT_EQ(count_of(sum, often), 2 * count);
    Histogram decoded;
    decoded.add_bucket(Histogram::index_of(often), count);
    decoded.add_bucket(Histogram::index_of(often), count);
    EXPECT_EQ(count_of(decoded, often), 2 * count);
    sum.clear();
    sum.add(often);
    EXPECT_EQ(count_of(sum, often), 1U) << "nothing of the high bytes stays";
  }
}

RC_GTEST_PROP(Histogram, AClearedOneIsAsNew, ()) {
  const auto values = *many_latencies();
  Histogram histogram = counted(*many_latencies());
  histogram.clear();
  RC_ASSERT(histogram == Histogram{});
  for (const std::uint64_t value : values) histogram.add(value);
  RC_ASSERT(histogram == counted(values));
}

RC_GTEST_PROP(Histogram, CountsAndExactPartsRestoreIt, ()) {
  const Histogram original = counted(*many_latencies());
  Histogram restored;
  original.for_each([&](std::size_t index, std::uint64_t n) { restored.add_bucket(index, n); });
  RC_ASSERT(restored.set_exact(original.min(), original.max(), original.sum()));
  RC_ASSERT(restored == original);
}

TEST(Histogram, ExactPartsThatContradictTheCountsAreRefused) {
  Histogram histogram = counted({5'000, 70'000});
  EXPECT_FALSE(histogram.set_exact(4'000, 70'000, 75'000));
  EXPECT_FALSE(histogram.set_exact(5'000, 80'000, 75'000));
  EXPECT_FALSE(Histogram{}.set_exact(0, 0, 1));
  EXPECT_TRUE(histogram.set_exact(5'000, 70'000, 75'000));
}

}  // namespace
}  // namespace radosload::record
