// How often the probe is wrong, and how soon it is right, on simulated drives: seeded, so that the
// figures are the same in every run. RADOSLOAD_PROBE_DAYS makes it longer.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "probe/change_finder.h"
#include "probe_support.h"

namespace radosload::probe {
namespace {

using testing::Drives;

constexpr std::uint64_t rounds_of_day = 288;

std::uint64_t days_wanted() {
  const char* const given = std::getenv("RADOSLOAD_PROBE_DAYS");
  constexpr std::uint64_t usual = 100;
  return given == nullptr ? usual : std::stoull(given);
}

// 10 OSDs for 100 days are 1,000 OSD-days. In 3,000 there is one false alarm.
TEST(ProbeSimulation, HealthyOsds_RaiseAtMostOneFalseAlarmInAThousandDays) {
  constexpr std::size_t osds = 10;
  const std::uint64_t days = days_wanted();
  Drives drives(osds, 1);
  ChangeFinder finder;
  std::uint64_t alarms = 0;
  std::uint64_t of_class = 0;
  for (std::uint64_t number = 0; number < days * rounds_of_day; ++number) {
    for (const Change& change : finder.add(drives.round(number))) {
      ++(change.osd >= 0 ? alarms : of_class);
    }
  }
  const double thousands = static_cast<double>(osds * days) / 1000;
  RecordProperty("false_alarms", std::to_string(alarms));
  std::printf("%llu false alarms of OSDs and %llu of the class in %.0f OSD-days\n",
              static_cast<unsigned long long>(alarms), static_cast<unsigned long long>(of_class),
              1000 * thousands);
  EXPECT_LE(static_cast<double>(alarms) / thousands, 1.0);
  EXPECT_LE(static_cast<double>(of_class) / thousands, 1.0);
}

TEST(ProbeSimulation, DriveSlowedByHalf_IsFoundWithinTwelveProbesThreeHundredTimesOfThreeHundred) {
  constexpr std::size_t osds = 10;
  constexpr std::uint64_t probes = 12;
  constexpr int injections = 300;
  int missed = 0;
  std::uint64_t waited = 0;
  for (int i = 0; i < injections; ++i) {
    Random random(static_cast<std::uint64_t>(i), "injection");
    Drives drives(osds, random.next());
    ChangeFinder finder;
    const std::uint64_t from = random.below(rounds_of_day);
    const std::uint64_t slow_at = 40 + random.below(160);
    const std::size_t victim = random.below(osds);
    std::uint64_t found = 0;
    for (std::uint64_t n = 0; n < slow_at + probes && found == 0; ++n) {
      if (n == slow_at) drives.slow_down(victim, 1.5);
      for (const Change& change : finder.add(drives.round(from + n))) {
        if (change.osd == static_cast<std::int32_t>(victim) && n >= slow_at)
          found = n - slow_at + 1;
      }
    }
    missed += found == 0 ? 1 : 0;
    waited += found;
  }
  std::printf("missed %d of %d; found after %.1f probes on average\n", missed, injections,
              static_cast<double>(waited) / (injections - missed));
  EXPECT_EQ(missed, 0);
}

TEST(ProbeSimulation, ChangeIsNamedWithItsOsdKindTimeAndSize) {
  Drives drives(10, 5);
  ChangeFinder finder;
  std::vector<Change> found;
  for (std::uint64_t n = 0; n < 150; ++n) {
    if (n == 100) drives.slow_down(3, 2);
    for (const Change& change : finder.add(drives.round(n))) found.push_back(change);
  }
  ASSERT_FALSE(found.empty());
  const Change& first = found.front();
  EXPECT_EQ(first.osd, 3);
  EXPECT_EQ(first.kind, Kind::read);
  EXPECT_NEAR(first.ratio, 2, 0.4);
  EXPECT_EQ(first.peers, 9U);
  const Time slow_since = testing::start_of_tests + std::chrono::minutes(5) * 100;
  EXPECT_LE(std::chrono::abs(first.since - slow_since), std::chrono::minutes(10));
  EXPECT_NEAR(seconds(first.after) / seconds(first.before), 2, 0.5);
  EXPECT_EQ(finder.standing().size(), found.size());
}

TEST(ProbeSimulation, ChangeOfAllOsds_IsOneOfTheirClass) {
  Drives drives(10, 6);
  ChangeFinder finder;
  std::vector<Change> found;
  for (std::uint64_t n = 0; n < 150; ++n) {
    if (n == 100) {
      for (std::size_t osd = 0; osd < 10; ++osd) drives.slow_down(osd, 3);
    }
    for (const Change& change : finder.add(drives.round(n))) found.push_back(change);
  }
  ASSERT_FALSE(found.empty());
  for (const Change& change : found) {
    EXPECT_EQ(change.osd, -1) << change_text(change);
    EXPECT_EQ(change.device_class, "hdd");
  }
}

TEST(ProbeSimulation, DriveThatRecovers_ChangesBack) {
  Drives drives(10, 8);
  ChangeFinder finder;
  std::vector<Change> reads;
  for (std::uint64_t n = 0; n < 140; ++n) {
    if (n == 80) drives.slow_down(3, 2);
    if (n == 100) drives.slow_down(3, 1);  // after fewer probes than are needed at first
    for (const Change& change : finder.add(drives.round(n))) {
      if (change.kind == Kind::read) reads.push_back(change);
    }
  }
  ASSERT_EQ(reads.size(), 2U);
  EXPECT_GT(reads[0].ratio, 1.5);
  EXPECT_LT(reads[1].ratio, 0.7);
}

TEST(ProbeSimulation, FewOsds_AreComparedWithTheirOwnPast) {
  Drives drives(3, 9);
  ChangeFinder finder;
  std::vector<Change> found;
  for (std::uint64_t n = 0; n < 140; ++n) {
    if (n == 100) drives.slow_down(1, 2.5);
    for (const Change& change : finder.add(drives.round(n))) found.push_back(change);
  }
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().osd, 1);
  EXPECT_EQ(found.front().peers, 0U);
}

TEST(ProbeSimulation, RestartedFinder_ReportsNoChangeAgainAndMissesNone) {
  for (const std::uint64_t restart_at : {90U, 104U, 112U, 130U}) {
    Drives drives(10, 5);
    ChangeFinder whole;
    ChangeFinder first;
    ChangeFinder second;
    std::vector<Change> expected;
    std::vector<Change> found;
    for (std::uint64_t n = 0; n < 150; ++n) {
      if (n == 100) drives.slow_down(3, 2);
      const Round round = drives.round(n);
      for (const Change& change : whole.add(round)) expected.push_back(change);
      if (n < restart_at) {
        second.replay(round);
        for (const Change& change : first.add(round)) {
          found.push_back(change);
          second.replay(change);
        }
      } else {
        for (const Change& change : second.add(round)) found.push_back(change);
      }
    }
    EXPECT_EQ(found, expected) << restart_at;
    EXPECT_EQ(second.standing(), whole.standing());
  }
}

}  // namespace
}  // namespace radosload::probe
