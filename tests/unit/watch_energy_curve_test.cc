// Energy over time from counters and from single readings of the power, in virtual time.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "watch/energy_curve.h"

namespace radosload::watch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(JoulesBetween, CountsOnAcrossTheEndOfTheRange) {
  EXPECT_DOUBLE_EQ(joules_between(1'000'000, 3'500'000, 0).value(), 2.5);
  EXPECT_DOUBLE_EQ(joules_between(9'000'000, 500'000, 10'000'000).value(), 1.5);
  EXPECT_FALSE(joules_between(9'000'000, 500'000, 0)) << "a counter without an end went back";
  EXPECT_FALSE(joules_between(9'000'000, 500'000, 5'000'000)) << "it was beyond its range";
}

TEST(EnergyCurve, OfACounter_IsKnownBetweenItsReadings) {
  EnergyCurve curve;
  curve.add_counter(seconds(10), 5'000'000, 0);
  curve.add_counter(seconds(11), 105'000'000, 0);  // 100 W
  curve.add_counter(seconds(12), 305'000'000, 0);  // 200 W
  EXPECT_DOUBLE_EQ(curve.between(seconds(10), seconds(12)).joules, 300);
  const auto middle = curve.between(milliseconds(10'500), milliseconds(11'500));
  EXPECT_DOUBLE_EQ(middle.joules, 150);
  EXPECT_EQ(middle.known, seconds(1));
  EXPECT_DOUBLE_EQ(middle.watts(), 150);
  const auto beyond = curve.between(seconds(5), seconds(20));
  EXPECT_EQ(beyond.known, seconds(2)) << "before and after nothing is known";
  EXPECT_DOUBLE_EQ(beyond.joules, 300);
  EXPECT_EQ(curve.between(seconds(20), seconds(30)).known, Time(0));
}

TEST(EnergyCurve, OfACounterThatBeginsAgain_GoesOn) {
  constexpr std::uint64_t range = 262'143'328'850;
  EnergyCurve curve;
  curve.add_counter(seconds(0), range - 40'000'000, range);
  curve.add_counter(seconds(1), 60'000'000, range);
  EXPECT_DOUBLE_EQ(curve.between(seconds(0), seconds(1)).joules, 100);
}

TEST(EnergyCurve, OfACounterThatWasSetBack_HasAGap) {
  EnergyCurve curve;
  curve.add_counter(seconds(0), 900'000'000'000, 262'143'328'850);
  curve.add_counter(seconds(1), 0, 262'143'328'850);
  curve.add_counter(seconds(2), 100'000'000, 262'143'328'850);
  const auto part = curve.between(seconds(0), seconds(2));
  EXPECT_EQ(part.known, seconds(1));
  EXPECT_DOUBLE_EQ(part.joules, 100);
  // As if it had begun again after using almost its whole range within a second.
  EnergyCurve reset;
  reset.add_counter(seconds(0), 1'000'000'000, 262'143'328'850);
  reset.add_counter(seconds(1), 0, 262'143'328'850);
  EXPECT_EQ(reset.between(seconds(0), seconds(1)).known, Time(0)) << "261 kW";
}

TEST(EnergyCurve, OfACounterNotReadForLong_HasAGap) {
  EnergyCurve curve;
  curve.add_counter(seconds(0), 0, 0);
  curve.add_counter(seconds(60), 6'000'000'000, 0);
  curve.add_counter(seconds(121), 12'000'000'000, 0);
  EXPECT_EQ(curve.between(seconds(0), seconds(121)).known, seconds(60));
  EXPECT_EQ(curve.first_unknown(seconds(0), seconds(121)), seconds(60));
}

TEST(EnergyCurve, OfReadingsOfThePower_IsTheirMeanOverTime) {
  EnergyCurve curve;
  curve.add_power(seconds(0), 100);
  curve.add_power(seconds(1), 200);
  curve.add_power(seconds(4), 200);
  EXPECT_DOUBLE_EQ(curve.between(seconds(0), seconds(4)).joules, 150 + 600);
  EXPECT_DOUBLE_EQ(curve.between(seconds(1), seconds(4)).watts(), 200);
}

TEST(EnergyCurve, LastReading_HoldsForTenSeconds) {
  EnergyCurve curve;
  curve.hold(seconds(1));
  EXPECT_EQ(curve.points(), 0U);
  curve.add_power(seconds(0), 100);
  curve.hold(seconds(10));
  EXPECT_DOUBLE_EQ(curve.between(seconds(0), seconds(10)).joules, 1000);
  curve.hold(seconds(21));
  EXPECT_EQ(curve.last(), seconds(10)) << "it is too old by then";
}

TEST(EnergyCurve, AfterAFailedReading_IsUnknownUntilTheNextOne) {
  EnergyCurve curve;
  curve.add_power(seconds(0), 100);
  curve.add_power(seconds(1), 100);
  curve.miss_power();
  curve.add_power(seconds(3), 100);
  curve.add_power(seconds(4), 100);
  EXPECT_EQ(curve.between(seconds(0), seconds(4)).known, seconds(2));
  EXPECT_EQ(curve.first_unknown(seconds(0), seconds(4)), seconds(1));
  curve.miss_power();
  curve.hold(seconds(6));
  EXPECT_EQ(curve.first_unknown(seconds(3), seconds(6)), seconds(4))
      << "the last one holds no more";
}

TEST(EnergyCurve, FirstUnknownMoment_IsTheBeginOfTheFirstGap) {
  EnergyCurve curve;
  EXPECT_EQ(curve.first_unknown(seconds(3), seconds(4)), seconds(3)) << "nothing was ever read";
  curve.add_power(seconds(0), 100);
  curve.add_power(seconds(5), 100);
  curve.add_power(seconds(30), 100);
  curve.add_power(seconds(35), 100);
  EXPECT_EQ(curve.first_unknown(seconds(1), seconds(5)), std::nullopt);
  EXPECT_EQ(curve.first_unknown(seconds(1), seconds(20)), seconds(5));
  EXPECT_EQ(curve.first_unknown(seconds(10), seconds(20)), seconds(10));
  EXPECT_EQ(curve.first_unknown(seconds(31), seconds(40)), seconds(35));
}

// Of a run of days old points are merged: memory stays bounded, and no joule is lost.
TEST(EnergyCurve, OfDays_KeepsAllJoulesInFewPoints) {
  constexpr std::int64_t days = 3 * 86'400;
  EnergyCurve curve;
  std::uint64_t microjoules = 0;
  for (std::int64_t second = 0; second <= days; ++second) {
    curve.add_counter(seconds(second), microjoules, 0);
    microjoules += second % 2 == 0 ? 50'000'000U : 150'000'000U;
  }
  EXPECT_LE(curve.points(), 20'001U);
  const auto all = curve.between(seconds(0), seconds(days));
  EXPECT_EQ(all.known, seconds(days));
  EXPECT_NEAR(all.joules, 100.0 * static_cast<double>(days), 1e-3);
}

RC_GTEST_PROP(EnergyCurve, PartsAddUpToTheWhole, ()) {
  EnergyCurve curve;
  Time at{0};
  std::uint64_t microjoules = 0;
  const int readings = *rc::gen::inRange(0, 20);
  for (int i = 0; i < readings; ++i) {
    at += milliseconds(*rc::gen::inRange(0, 90'000));
    microjoules += static_cast<std::uint64_t>(*rc::gen::inRange(0, 1'000'000'000));
    curve.add_counter(at, microjoules, 0);
  }
  const Time cut = milliseconds(*rc::gen::inRange(0, 1'000'000));
  const Time end = seconds(2'000);
  const auto whole = curve.between(Time(0), end);
  const auto first = curve.between(Time(0), cut);
  const auto second = curve.between(cut, end);
  RC_ASSERT(whole.known == first.known + second.known);
  RC_ASSERT(std::abs(whole.joules - first.joules - second.joules) < 1e-6);
}

}  // namespace
}  // namespace radosload::watch
