#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/laws.h"
#include "workload/arrival.h"

namespace radosload::workload {
namespace {

using std::chrono::nanoseconds;

std::vector<std::int64_t> due_before(Schedule schedule, Time end) {
  std::vector<std::int64_t> due;
  for (Time t = schedule.next(); t < end; t = schedule.next()) due.push_back(t.count());
  return due;
}

TEST(Schedule, ClosedIsAlwaysNow) {
  Schedule schedule({}, 1);
  EXPECT_TRUE(schedule.closed());
  EXPECT_EQ(schedule.next(), Time{0});
  EXPECT_EQ(schedule.next(), Time{0});
}

TEST(Schedule, ConstantRate_TicksAreExact) {
  Schedule thirds({Arrival::Law::constant, 3}, 1);
  EXPECT_EQ(thirds.next(), nanoseconds(0));
  EXPECT_EQ(thirds.next(), nanoseconds(333'333'333));
  EXPECT_EQ(thirds.next(), nanoseconds(666'666'666));
  EXPECT_EQ(thirds.next(), nanoseconds(1'000'000'000));
  Schedule slow({Arrival::Law::constant, 0.001}, 1);
  slow.next();
  EXPECT_EQ(slow.next(), std::chrono::seconds(1000));
  Schedule fast({Arrival::Law::constant, 1e9}, 1);
  fast.next();
  EXPECT_EQ(fast.next(), nanoseconds(1));
}

RC_GTEST_PROP(Schedule, AConstantScheduleIsAsLongAsRateTimesDuration, ()) {
  const auto rate = *rc::gen::inRange<std::uint64_t>(1, 5000);
  const auto duration = *rc::gen::inRange<std::uint64_t>(1, 5);
  const auto lanes = *rc::gen::inRange<std::uint32_t>(1, 9);
  std::size_t ticks = 0;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    const Schedule schedule({Arrival::Law::constant, static_cast<double>(rate)}, 1, lane, lanes);
    ticks += due_before(schedule, std::chrono::seconds(duration)).size();
  }
  RC_ASSERT(ticks == rate * duration);
}

RC_GTEST_PROP(Schedule, TheLanesOfAConstantRateTogetherAreOneEvenSchedule, ()) {
  const double rate = *rc::gen::inRange(1, 3'000'000) / 1000.0;
  const auto lanes = *rc::gen::inRange<std::uint32_t>(1, 9);
  const Arrival arrival{Arrival::Law::constant, rate};
  std::vector<Schedule> parts;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) parts.emplace_back(arrival, 1, lane, lanes);
  Schedule whole(arrival, 1);
  for (std::size_t i = 0; i < 200; ++i) RC_ASSERT(parts[i % lanes].next() == whole.next());
}

// In 128 bits, where nothing overflows: operation k is due k / rate seconds after the start,
// rounded down, with the rate in millionths.
RC_GTEST_PROP(Schedule, EveryLaneIsExactUpToTheMostLanesAtAnyRate, ()) {
  __extension__ using Wide = unsigned __int128;
  const auto lanes = *rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(1, plan::max_lanes + 1),
                                     rc::gen::just(plan::max_lanes));
  const auto lane =
      *rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, lanes), rc::gen::just(lanes - 1));
  const auto highest = static_cast<std::uint64_t>(plan::highest_rate) * lanes;
  const auto rate =
      *rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(1, 3'000'000),
                      rc::gen::inRange<std::uint64_t>(1, highest), rc::gen::just(highest));
  Schedule schedule({Arrival::Law::constant, static_cast<double>(rate)}, 1, lane, lanes);
  const auto whole = static_cast<std::uint64_t>(std::round(static_cast<double>(rate) * 1e6));
  for (std::uint64_t i = 0; i < 50; ++i) {
    const auto due = Wide{1'000'000'000'000'000} * (lane + i * lanes) / whole;
    RC_ASSERT(schedule.next().count() == static_cast<std::int64_t>(due));
  }
}

TEST(Schedule, TheSlowestRateIsExactOnTheMostLanes) {
  Schedule last({Arrival::Law::constant, plan::lowest_rate}, 1, plan::max_lanes - 1,
                plan::max_lanes);
  EXPECT_EQ(last.next(), std::chrono::seconds(1000 * std::int64_t{plan::max_lanes - 1}));
  EXPECT_EQ(last.next(), std::chrono::seconds(1000 * (2 * std::int64_t{plan::max_lanes} - 1)));
}

TEST(Schedule, RateOfOneThird_DoesNotDriftInAWeek) {
  Schedule schedule({Arrival::Law::constant, 3}, 1);
  constexpr std::int64_t week = 7 * 86'400;
  Time last{0};
  for (std::int64_t i = 0; i <= 3 * week; ++i) last = schedule.next();
  EXPECT_EQ(last, std::chrono::seconds(week));
}

TEST(Schedule, PoissonGapsAreExponential) {
  for (const std::uint32_t lanes : {1U, 5U}) {
    Schedule schedule({Arrival::Law::poisson, 10'000}, 2, lanes - 1, lanes);
    const double mean = 1e5 * lanes;  // ns
    std::vector<double> gaps;
    Time last{0};
    for (int i = 0; i < 200'000; ++i) {
      const Time due = schedule.next();
      ASSERT_GE(due, last);
      gaps.push_back(static_cast<double>((due - last).count()));
      last = due;
    }
    EXPECT_LE(kolmogorov_excess(gaps, [&](double t) { return 1 - std::exp(-t / mean); }), 1);
  }
}

TEST(Schedule, PoissonGapsAreIndependent) {
  // The correlation of each gap with the next is within four standard errors of none.
  Schedule schedule({Arrival::Law::poisson, 1000}, 3);
  constexpr int count = 200'000;
  double sum = 0;
  double last = 0;
  Time before{0};
  for (int i = 0; i < count; ++i) {
    const Time due = schedule.next();
    const double gap = static_cast<double>((due - before).count()) / 1e6 - 1;
    sum += gap * last;
    last = gap;
    before = due;
  }
  EXPECT_LE(std::abs(sum / count), 4 / std::sqrt(count));
}

TEST(Schedule, TheUnionOfPoissonLanesCountsAsAPoissonProcess) {
  // Counts per 10 ms at 500/s over 4 lanes are Poisson with mean 5.
  constexpr std::size_t cells = 20'000;
  std::vector<std::uint64_t> counts(cells);
  for (std::uint32_t lane = 0; lane < 4; ++lane) {
    const Schedule schedule({Arrival::Law::poisson, 500}, 4, lane, 4);
    for (const std::int64_t due : due_before(schedule, std::chrono::seconds(200))) {
      ++counts.at(static_cast<std::size_t>(due) / 10'000'000);
    }
  }
  std::vector<std::uint64_t> by_count(20);
  for (const std::uint64_t count : counts) ++by_count.at(std::min<std::uint64_t>(count, 19));
  std::vector<double> weights(20);
  double weight = std::exp(-5);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = weight;
    weight *= 5 / static_cast<double>(k + 1);
  }
  EXPECT_LE(chi_square_excess(by_count, weights), 1);
}

TEST(Schedule, TheSameSeedGivesTheSameTimes) {
  const Arrival arrival{Arrival::Law::poisson, 100};
  const Time end = std::chrono::seconds(10);
  EXPECT_EQ(due_before(Schedule(arrival, 5), end), due_before(Schedule(arrival, 5), end));
  EXPECT_NE(due_before(Schedule(arrival, 5), end), due_before(Schedule(arrival, 6), end));
  EXPECT_NE(due_before(Schedule(arrival, 5, 0, 2), end),
            due_before(Schedule(arrival, 5, 1, 2), end));
}

}  // namespace
}  // namespace radosload::workload
