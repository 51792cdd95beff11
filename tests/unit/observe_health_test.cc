#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/health.h"
#include "support/files.h"

namespace radosload::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

HealthCheck check(std::string code, std::string severity, std::string summary,
                  std::uint64_t count = 1) {
  return {.code = std::move(code),
          .severity = std::move(severity),
          .summary = std::move(summary),
          .count = count};
}

const HealthCheck down = check("OSD_DOWN", "HEALTH_WARN", "1 osds down");
const HealthCheck full = check("OSD_FULL", "HEALTH_ERR", "1 full osd(s)");

HealthCheck slow(std::uint64_t count) {
  return check("SLOW_OPS", "HEALTH_WARN", std::to_string(count) + " slow ops", count);
}

Health of(std::vector<HealthCheck> checks) {
  return {.status = "HEALTH_WARN", .checks = std::move(checks)};
}

HealthCheck muted(HealthCheck check) {
  check.muted = true;
  return check;
}

TEST(HealthParser, ReadsARecordedAnswerOfEachVersion) {
  for (const char* const version : {"16.2.15", "18.2.7"}) {
    const auto health = parse_health(test::fixture(version, "health-detail.json"));
    ASSERT_TRUE(health) << health.error().message();
    EXPECT_THAT(health->status, HasSubstr("HEALTH_"));
    for (const HealthCheck& check : health->checks) {
      EXPECT_THAT(check.severity, HasSubstr("HEALTH_")) << check.code;
      EXPECT_FALSE(check.summary.empty()) << check.code;
      EXPECT_EQ(check.details.size(), check.count) << check.code;
    }
  }
}

TEST(HealthParser, OtherText_IsAnErrorAndMissingMembersAreNot) {
  EXPECT_FALSE(parse_health("[]"));
  EXPECT_FALSE(parse_health(""));
  const auto bare = parse_health("{}");
  ASSERT_TRUE(bare);
  EXPECT_THAT(bare->checks, IsEmpty());
  EXPECT_TRUE(parse_health(R"({"status": 7, "checks": ["x"]})"));
  EXPECT_TRUE(parse_health(R"({"checks": {"A": 1, "B": {"summary": [], "detail": 5}}})"));
}

TEST(HealthWatch, EachChange_IsReportedOnce) {
  HealthWatch watch({}, "hdd");
  EXPECT_THAT(watch.update(of({down})).changes, ElementsAre("OSD_DOWN: 1 osds down"));
  EXPECT_THAT(watch.update(of({down})).changes, IsEmpty());
  EXPECT_THAT(watch.update(of({})).changes, ElementsAre("OSD_DOWN is over"));
}

TEST(HealthWatch, WarningsAreNoAlarm) {
  HealthWatch watch({}, "hdd");
  EXPECT_FALSE(watch.update(of({down})).alarm);
}

TEST(HealthWatch, TurningToErrorIsAnAlarm) {
  HealthWatch watch({down}, "hdd");
  EXPECT_THAT(watch.update(of({down, full})).alarm, Optional(HasSubstr("1 full osd(s)")));
}

TEST(HealthWatch, AWarningThatBecomesAnErrorIsAnAlarm) {
  HealthWatch watch({down}, "hdd");
  EXPECT_TRUE(watch.update(of({check("OSD_DOWN", "HEALTH_ERR", "9 osds down")})).alarm);
}

TEST(HealthWatch, ProblemAtTheStart_IsNoAlarm) {
  HealthWatch watch({full, slow(3)}, "hdd");
  EXPECT_FALSE(watch.update(of({full, slow(3)})).alarm);
  EXPECT_FALSE(watch.update(of({full, slow(1)})).alarm);
  EXPECT_TRUE(watch.update(of({full, slow(4)})).alarm);
}

TEST(HealthWatch, NewSlowOperationsAreAnAlarm) {
  HealthWatch watch({}, "hdd");
  EXPECT_THAT(watch.update(of({slow(2)})).alarm, Optional(HasSubstr("2 slow ops")));
}

TEST(HealthWatch, RunsPoolGettingFull_IsAnAlarmAndAnotherPoolIsNot) {
  HealthCheck pool = check("POOL_FULL", "HEALTH_WARN", "1 pool(s) full");
  pool.details = {"pool 'hdd' is full (no quota)"};
  HealthWatch other({}, "hdd1");
  EXPECT_FALSE(other.update(of({pool})).alarm);
  HealthWatch ours({}, "hdd");
  EXPECT_THAT(ours.update(of({pool})).alarm, Optional(HasSubstr("'hdd' is full")));
}

TEST(HealthWatch, MutedCheck_IsIgnored) {
  HealthWatch watch({}, "hdd");
  const auto finding = watch.update(of({muted(full), muted(slow(3))}));
  EXPECT_THAT(finding.changes, IsEmpty());
  EXPECT_FALSE(finding.alarm);
}

}  // namespace
}  // namespace radosload::observe
