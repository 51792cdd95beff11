// Runs on a cluster that gets into trouble, or is in it already: the load stops, unless the user
// wants it to continue.
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/scenario.h"

namespace radosload::test {
namespace {

using record::EndedBy;
using record::GradeValue;
using record::RunStatus;
using std::chrono::seconds;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* reads_at_100_a_second =
    "--pattern randread4k,size=4M,object-size=64k --rate 100 --time 60";

Happening osds_get_full() {
  return health_turns_to_error("OSD_FULL", "3 full osd(s)");
}

void expect_stopped_by_health(const Played& played, Time at, const std::string& why) {
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_EQ(played.record.status, RunStatus::interrupted);
  EXPECT_EQ(played.record.ended_by, EndedBy::health);
  EXPECT_GE(played.record.measured, at);
  EXPECT_LE(played.record.measured, at + seconds(4)) << "health is asked for every 2 s";
  EXPECT_THAT(played.record.warnings,
              Contains(AllOf(HasSubstr("the run stopped: "), HasSubstr(why),
                             HasSubstr("with --push-through it continues"))));
  EXPECT_THAT(played.events("alarm"), Contains(HasSubstr(why)));
  EXPECT_THAT(played.notes, Contains(AllOf(HasSubstr(why), HasSubstr("ending the run"))));
}

TEST(RunTrouble, HealthTurnsToError_EndsTheRun) {
  Scenario run(reads_at_100_a_second);
  run.at(seconds(5), osds_get_full());
  expect_stopped_by_health(run.play(), seconds(5), "turned to HEALTH_ERR (3 full osd(s))");
}

TEST(RunTrouble, NewSlowOperations_EndTheRun) {
  Scenario run(reads_at_100_a_second);
  run.before(health_warns("SLOW_OPS", "2 slow ops", 2));
  run.at(seconds(10), health_warns("SLOW_OPS", "12 slow ops", 12));
  expect_stopped_by_health(run.play(), seconds(10), "reports slow operations (12 slow ops)");
}

TEST(RunTrouble, OldSlowOperations_RunContinues) {
  Scenario run(reads_at_100_a_second);
  run.before(health_warns("SLOW_OPS", "12 slow ops", 12));
  run.at(seconds(10), health_warns("SLOW_OPS", "2 slow ops", 2));
  const Played played = run.play();
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  EXPECT_EQ(played.exit, Exit::measured);
}

TEST(RunTrouble, ErrorThatWasThereBefore_RunOfAUserWhoAllowsItContinues) {
  Scenario run(std::string(reads_at_100_a_second) + " --allow-unhealthy");
  run.before(osds_get_full());
  const Played played = run.play();
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
}

TEST(RunTrouble, PushThrough_MeasuresToTheEndAndReportsTheTrouble) {
  Scenario run(std::string(reads_at_100_a_second) + " --push-through");
  run.at(seconds(5), osds_get_full());
  run.at(seconds(20), health_check_is_over("OSD_FULL"));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  EXPECT_THAT(played.record.warnings,
              Contains(AllOf(HasSubstr("turned to HEALTH_ERR"), HasSubstr("the run continued"))));
  EXPECT_THAT(played.events("health"), Contains("OSD_FULL is over"));
}

TEST(RunTrouble, PoolReachesItsQuota_EndsTheRunAndGivesUpItsWrites) {
  Scenario run("--pattern create,objects=10000 --rate 40 --time 100 --drain 2s");
  run.at(seconds(5), pool_reaches_its_quota());
  const Played played = run.play();
  expect_stopped_by_health(played, seconds(5), "pool 'data' is full");
  EXPECT_GT(played.total().cancelled, 0U);
  EXPECT_THAT(played.errors(), IsEmpty());
}

TEST(RunTrouble, PoolReachesItsQuota_ReadsWithPushThroughAreCleanAndItIsNoted) {
  Scenario run(std::string(reads_at_100_a_second) + " --push-through");
  run.at(seconds(5), pool_reaches_its_quota());
  const Played played = run.play();
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  EXPECT_EQ(played.grade(), GradeValue::clean);
  EXPECT_THAT(played.reasons(), Contains(HasSubstr("POOL_FULL: 1 pool(s) full, ")));
}

TEST(RunTrouble, HealthTurnsToErrorInThePrefill_NothingIsMeasured) {
  Scenario run("--pattern randread4k,size=64M --prefill-rate 4M --time 5");
  run.in_prefill(seconds(3), osds_get_full());
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::refused);
  EXPECT_THAT(played.error,
              AllOf(HasSubstr("turned to HEALTH_ERR"), HasSubstr("nothing was measured")));
}

TEST(RunTrouble, ClusterIsInHealthError_RunDoesNotStart) {
  Scenario run(reads_at_100_a_second);
  run.before(osds_get_full());
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::refused);
  EXPECT_THAT(played.error, HasSubstr("3 full osd(s)"));
}

TEST(RunTrouble, PoolIsAtItsQuota_RunIsRefused) {
  Scenario run(reads_at_100_a_second);
  run.before(pool_reaches_its_quota());
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::refused);
  EXPECT_THAT(played.error, HasSubstr("pool data is full"));
}

TEST(RunTrouble, PgsHaveNoOsd_RunIsRefusedAndTheyAreNamed) {
  Scenario run(reads_at_100_a_second, {.shape = {.replicas = 1}});
  run.before(osd_is_marked_down(0));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::refused);
  EXPECT_THAT(played.error, AllOf(HasSubstr("2 of 8 PGs of pool data take no operations"),
                                  HasSubstr("2.0 waits on osd.0"), HasSubstr("--allow-unhealthy")));
}

}  // namespace
}  // namespace radosload::test
