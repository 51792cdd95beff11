// Time told from a counter: by made-up counters, and by this machine's.

#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/tick_clock.h"

namespace radosload {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t ms = 1'000'000;
// Five ticks for every two nanoseconds.
constexpr std::uint64_t per_ms = 2'500'000;
constexpr std::uint64_t start = 123'456'789;
constexpr std::int64_t noon = 43'200'000 * ms;

TickRate taught() {
  TickRate rate;
  rate.learn(start, noon);
  rate.learn(start + 4 * per_ms, noon + 4 * ms);
  return rate;
}

TEST(TickRate, OneReading_CoversNothing) {
  TickRate rate;
  EXPECT_FALSE(rate.covers(start));
  rate.learn(start, noon);
  EXPECT_FALSE(rate.covers(start + 1));
}

TEST(TickRate, TwoReadings_TimeIsExtrapolated) {
  const TickRate rate = taught();
  ASSERT_TRUE(rate.covers(start + 5 * per_ms));
  EXPECT_NEAR(static_cast<double>(rate.time_at(start + 5 * per_ms)),
              static_cast<double>(noon + 5 * ms), 1);
}

TEST(TickRate, ShortMeasurement_CoversAsLong) {
  const TickRate rate = taught();
  EXPECT_TRUE(rate.covers(start + 8 * per_ms - 10));
  EXPECT_FALSE(rate.covers(start + 8 * per_ms + 10));
}

TEST(TickRate, LongMeasurement_CoversTenMilliseconds) {
  TickRate rate = taught();
  rate.learn(start + 1004 * per_ms, noon + 1004 * ms);
  EXPECT_TRUE(rate.covers(start + 1014 * per_ms - 10));
  EXPECT_FALSE(rate.covers(start + 1014 * per_ms + 10));
}

TEST(TickRate, TimeBeforeTheLastReading_IsNotCovered) {
  EXPECT_FALSE(taught().covers(start + 4 * per_ms - 1));
}

TEST(TickRate, MeasurementBelowAMillisecond_IsIgnored) {
  TickRate rate = taught();
  rate.learn(start + 4 * per_ms + 1, noon + 4 * ms + 1000);
  EXPECT_NEAR(static_cast<double>(rate.time_at(start + 5 * per_ms)),
              static_cast<double>(noon + 5 * ms), 1);
}

TEST(TickRate, FollowsACounterThatChangesItsPace) {
  TickRate rate = taught();
  rate.learn(start + 5 * per_ms, noon + 6 * ms);
  EXPECT_NEAR(static_cast<double>(rate.time_at(start + 5 * per_ms + per_ms / 2)),
              static_cast<double>(noon + 7 * ms), 1);
}

TEST(TickRate, DistrustsACounterThatWasSetBack) {
  TickRate rate = taught();
  rate.learn(start, noon + 8 * ms);
  EXPECT_FALSE(rate.covers(start + 1));
  rate.learn(start + 4 * per_ms, noon + 12 * ms);
  EXPECT_NEAR(static_cast<double>(rate.time_at(start + 5 * per_ms)),
              static_cast<double>(noon + 13 * ms), 1);
}

TEST(TickRate, DistrustsACounterThatStops) {
  TickRate rate = taught();
  rate.learn(start + 4 * per_ms, noon + 8 * ms);
  EXPECT_FALSE(rate.covers(start + 4 * per_ms));
}

Time kernels() {
  return std::chrono::steady_clock::now().time_since_epoch();
}

TEST(TickClock, AgreesWithTheKernelAndNeverGoesBack) {
  constexpr Time tolerance = 20us;
  const Time end = kernels() + 100ms;
  Time last{0};
  for (Time before = kernels(); before < end; before = kernels()) {
    const Time told = TickClock::now();
    const Time after = kernels();
    ASSERT_GE(told, before - tolerance);
    ASSERT_LE(told, after + tolerance);
    ASSERT_GE(told, last);
    last = told;
  }
}

TEST(TickClock, AgreesWithTheKernelAfterAPause) {
  for (const Time pause : {2ms, 5ms, 30ms}) {
    for (Time until = kernels() + 5ms; kernels() < until;) TickClock::now();
    std::this_thread::sleep_for(pause);
    const Time before = kernels();
    EXPECT_GE(TickClock::now(), before - 20us);
  }
}

TEST(TickClock, Threads_HaveTheSameTime) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (Time until = kernels() + 30ms; kernels() < until;) {
        const Time before = kernels();
        const Time told = TickClock::now();
        ASSERT_GE(told, before - 20us);
        ASSERT_LE(told, kernels() + 20us);
      }
    });
  }
}

}  // namespace
}  // namespace radosload
