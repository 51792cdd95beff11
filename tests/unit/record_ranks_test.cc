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

// The lost one may have taken an hour: it is the slowest, or any of those above it.
TEST(Ranks, LostOperationBelowARank_LeavesItUnknownHowLong) {
  const Histogram answered = of({1 * ms, 2 * ms, 3 * ms, 4 * ms, 5 * ms, 900 * ms});
  const Histogram lost = of({100 * ms});
  const Ranks ranks(answered, lost);
  EXPECT_EQ(ranks.value_at({700'000}).kind, Ranked::Kind::exact);
  EXPECT_EQ(ranks.value_at({850'000}).kind, Ranked::Kind::beyond);
  EXPECT_EQ(ranks.value_at({1'000'000}), (Ranked{Ranked::Kind::beyond, 900 * ms}));
  EXPECT_EQ(ranks.max(), (Ranked{Ranked::Kind::beyond, 900 * ms}));
}

// Where many took the same time, it does not matter which of them are beside the lost ones.
TEST(Ranks, LostOperationsBelowManyOfOneTime_LeaveItKnown) {
  const Histogram answered = of(times(1000, 5 * ms));
  const Histogram lost = of(times(10, ms));
  const Ranks ranks(answered, lost);
  EXPECT_EQ(ranks.percentile(p90), (Ranked{Ranked::Kind::exact, 5 * ms}));
  EXPECT_EQ(ranks.percentile(p99), (Ranked{Ranked::Kind::exact, 5 * ms}));
  EXPECT_EQ(ranks.value_at(p999).kind, Ranked::Kind::beyond);
}

// The last bucket ends at 9.8 hours, and has all that took longer.
TEST(Ranks, TimesBeyondAllBuckets_HaveALowerBound) {
  constexpr std::uint64_t hour = 3'600'000 * ms;
  const Histogram half_days = of(times(1000, 12 * hour));
  const Histogram mixed = of({ms, 2 * ms, 20 * hour});
  const Histogram none;
  EXPECT_EQ(Ranks(half_days, none).percentile(p50),
            (Ranked{Ranked::Kind::beyond, Histogram::highest}));
  EXPECT_EQ(ranked_text(Ranks(half_days, none).percentile(p50)), "> 9 h 46 m");
  EXPECT_EQ(Ranks(half_days, none).max(), (Ranked{Ranked::Kind::exact, 12 * hour}));
  EXPECT_EQ(Ranks(half_days, of({ms})).value_at(p99).kind, Ranked::Kind::beyond);
  EXPECT_EQ(Ranks(mixed, none).value_at(p50).kind, Ranked::Kind::exact);
  EXPECT_EQ(Ranks(mixed, none).value_at(p99).ns, Histogram::lowest_in(Histogram::bucket_count - 1));
  EXPECT_EQ(Ranks(of({9 * hour}), none).value_at(p50), (Ranked{Ranked::Kind::exact, 9 * hour}));
}

TEST(Ranks, LostOperationsCountForHowManyThereAre) {
  const Histogram answered = of(times(300, ms));
  const Histogram lost = of(times(68, 8000 * ms));
  EXPECT_EQ(Ranks(answered, {}).percentile(p99), Ranked{});
  EXPECT_EQ(Ranks(answered, lost).percentile(p99).kind, Ranked::Kind::beyond);
  EXPECT_EQ(Ranks(Histogram(), Histogram()).max(), Ranked{});
}

// The lists that the data allow, from the one with the lost operations as they were given up to the
// one in which they took for ever.
RC_GTEST_PROP(Ranks, AreThoseOfEveryListThatTheDataAllow, ()) {
  constexpr std::uint64_t for_ever = 1'000'000;
  const auto values = rc::gen::container<std::vector<std::uint64_t>>(
      rc::gen::inRange<std::uint64_t>(0, Histogram::index_of(2000)));
  const auto answered = *values;
  const auto lost = *values;
  RC_PRE(answered.size() + lost.size() > 0);
  auto least = answered;
  least.insert(least.end(), lost.begin(), lost.end());
  auto most = answered;
  most.resize(least.size(), for_ever);
  std::sort(least.begin(), least.end());
  std::sort(most.begin(), most.end());
  const Histogram one = of(answered);
  const Histogram other = of(lost);
  const Ranks ranks(one, other);
  std::uint64_t before = 0;
  for (const std::uint32_t ppm : {100'000U, 500'000U, 900'000U, 990'000U, 1'000'000U}) {
    const std::size_t place = nearest_rank({ppm}, least.size()) - 1;
    const bool known = least[place] == most[place];
    const Ranked found = ranks.value_at({ppm});
    RC_ASSERT(found == (Ranked{known ? Ranked::Kind::exact : Ranked::Kind::beyond, least[place]}));
    RC_ASSERT(found.ns >= before);
    before = found.ns;
  }
}

}  // namespace
}  // namespace radosload::record
