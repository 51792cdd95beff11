// What disturbs a cluster during a run is in the run's grade, with its time; what does not concern
// the run leaves it clean; what was not watched is not called clean.
#include <cerrno>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/scenario.h"

#include <fmt/format.h>

namespace radosload::test {
namespace {

using record::EndedBy;
using record::GradeValue;
using std::chrono::seconds;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* light =
    "--pattern randread4k,size=4M,object-size=64k --rate 100 --time 30 --push-through";

Played played_with(Time time, const Happening& happening, const std::string& more = {},
                   Scenario::Options options = {}) {
  Scenario run(fmt::format("{} {}", light, more), options);
  run.at(time, happening);
  return run.play();
}

void expect_clean(const Played& played) {
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_EQ(played.grade(), GradeValue::clean) << testing::PrintToString(played.reasons());
}

// PGs.

TEST(RunGrades, PgOfTheRunIsScrubbed_ContaminatesWithPgOsdAndTime) {
  Scenario run(light);
  run.at(seconds(6), pg_is(5, "active+clean+scrubbing+deep"));
  run.at(seconds(12), pg_is(5, ""));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("PG 2.5 was deep-scrubbed (osd.1), ")));
  EXPECT_THAT(played.record.warnings, ElementsAre(HasSubstr("PG 2.5 was deep-scrubbed")));
  EXPECT_THAT(played.notes, Contains(HasSubstr("the cluster: PG 2.5 was deep-scrubbed")));
}

TEST(RunGrades, PgOfAnotherPoolIsScrubbed_RunIsClean) {
  expect_clean(played_with(seconds(6), pg_of_another_pool_is(5, "active+clean+scrubbing")));
}

TEST(RunGrades, PgOfAnotherPoolOnAPinnedOsdIsScrubbed_Contaminates) {
  const auto scrub = pg_of_another_pool_is(5, "active+clean+scrubbing");  // osd.1 and osd.2
  expect_clean(played_with(seconds(6), scrub, "--osd 0"));
  const Played played = played_with(seconds(6), scrub, "--osd 1");
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("PG 3.5 was scrubbed (osd.1)")));
}

TEST(RunGrades, OsdStopsAndStarts_RecoveryOfThePgsContaminates) {
  Scenario run(light);
  run.at(seconds(5), osd_is_marked_down(2));
  run.at(seconds(15), osd_boots(2));
  const Played played = run.play();
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), Contains(HasSubstr("osd.2 went down: its figures")));
  EXPECT_THAT(played.reasons(), Contains(HasSubstr("was degraded (osd.")));
  EXPECT_THAT(played.reasons(),
              Contains(HasSubstr("4 of the 8 PGs of the run moved: PG 2.1 moved from ")));
}

TEST(RunGrades, PgOfTheRunRecovers_Contaminates) {
  const Played played = played_with(seconds(6), pg_is(2, "active+recovering"));
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("PG 2.2 was recovering (osd.2), ")));
}

TEST(RunGrades, PgOfTheRunMoves_ContaminatesAndNamesIt) {
  const Played played = played_with(seconds(10), pg_moves(0, {3, 1}));
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(),
              ElementsAre(HasSubstr("1 of the 8 PGs of the run moved: PG 2.0 moved from ")));
  EXPECT_THAT(played.notes, Contains(HasSubstr("PG 2.0 moved from 0,1 to 3,1")));
}

TEST(RunGrades, PgOfAPinnedRunMoves_RunIsVoidAndFlawed) {
  const Played played = played_with(seconds(10), pg_moves(0, {3, 1}), "--osd 0");
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_EQ(played.grade(), GradeValue::void_run);
  EXPECT_THAT(played.reasons(),
              Contains(HasSubstr("1 of the PGs that the run is pinned to moved: PG 2.0 ")));
}

// Within one look: only the maps in between tell.
TEST(RunGrades, PgMovesAndComesBack_ContaminatesAndNamesIt) {
  Scenario run(light);
  run.at(std::chrono::milliseconds(10'100), pg_moves(0, {3, 1}));
  run.at(std::chrono::milliseconds(10'300), pg_moves(0, {0, 1}));
  const Played played = run.play();
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("PG 2.0 was mapped to other OSDs, at ")));
}

// Backfill that follows a mapping is served by the OSDs of before: nothing seems to have moved.
TEST(RunGrades, PgIsMappedAndServedByTheOsdsOfBefore_Contaminates) {
  Scenario run(light);
  run.at(seconds(10), pg_is_mapped(0, {3, 1}));
  run.at(seconds(14), pg_is_mapped(0, {0, 1}));
  const Played played = run.play();
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(),
              ElementsAre(HasSubstr("PG 2.0 was mapped to other OSDs, 11 to 15 s")));
}

TEST(RunGrades, PgOfAnotherPoolMovesAndComesBack_RunIsClean) {
  Scenario run(light);
  run.at(std::chrono::milliseconds(10'100), pg_of_another_pool_moves(0, {3, 1}));
  run.at(std::chrono::milliseconds(10'300), pg_of_another_pool_moves(0, {0, 1}));
  expect_clean(run.play());
}

TEST(RunGrades, OsdOfTheRunIsOutForAMoment_Contaminates) {
  const auto played_on = [](std::int32_t osd) {
    Scenario run(std::string(light) + " --osd 0");  // its PGs are on osd.0 and osd.1
    run.at(std::chrono::milliseconds(10'100), osd_is_weighted(osd, 0));
    run.at(std::chrono::milliseconds(10'300), osd_is_weighted(osd, 1));
    return run.play();
  };
  const Played played = played_on(1);
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(),
              ElementsAre(HasSubstr("osd.1 had another weight or affinity for a moment")));
  expect_clean(played_on(2));
}

TEST(RunGrades, SettingOfItsOsdsChanges_ContaminatesByName) {
  for (const char* const section : {"osd", "global", "osd.2", "osd/class:hdd"}) {
    const Played played =
        played_with(seconds(10), setting_is(fmt::format("{}/osd_max_scrubs", section), "3"));
    EXPECT_EQ(played.grade(), GradeValue::contaminated) << section;
    EXPECT_THAT(played.reasons(),
                ElementsAre(HasSubstr(fmt::format(
                    "the setting osd_max_scrubs of {} became 3, from its default, at ", section))));
  }
}

TEST(RunGrades, SettingOfOtherDaemonsChanges_RunIsClean) {
  for (const char* const section : {"mgr", "mon", "osd.9", "mds"}) {
    expect_clean(played_with(seconds(10), setting_is(fmt::format("{}/debug", section), "3")));
  }
  Scenario before(light);
  before.before(setting_is("osd/osd_max_scrubs", "3"));
  expect_clean(before.play());
}

TEST(RunGrades, CompressionOfThePoolChanges_ContaminatesAlsoForAMoment) {
  const Played played = played_with(seconds(10), pool_option_is("compression_mode", "force"));
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(
      played.reasons(),
      ElementsAre(HasSubstr("compression_mode of pool data became force, from its default")));
  Scenario run(light);
  run.before(pool_option_is("compression_mode", "none"));
  run.at(std::chrono::milliseconds(10'100), pool_option_is("compression_mode", "force"));
  run.at(std::chrono::milliseconds(10'300), pool_option_is("compression_mode", "none"));
  EXPECT_EQ(run.play().grade(), GradeValue::contaminated);
}

TEST(RunGrades, OptionThatServesNoOperationChanges_RunIsClean) {
  expect_clean(played_with(seconds(10), option_of_another_pool_is("compression_mode", "force")));
  expect_clean(played_with(seconds(10), pool_option_is("target_size_ratio", "0.5")));
}

// Scrubs that are over before the next report of their OSD: 30 s are 300 ms for each 1 %.
TEST(RunGrades, ScrubBetweenTwoReports_ContaminatesFromOnePercentOn) {
  const Played brief = played_with(seconds(10), pg_was_scrubbed(3, 0.025));
  expect_clean(brief);
  EXPECT_THAT(brief.reasons(), ElementsAre(HasSubstr("PG 2.3 was scrubbed (osd.3) for 25 ms")));
  const Played whole = played_with(seconds(10), pg_was_scrubbed(3, 0.4));
  EXPECT_EQ(whole.grade(), GradeValue::contaminated);
  Scenario several(light);
  for (const std::uint32_t pg : {1U, 2U, 3U}) several.at(seconds(10), pg_was_scrubbed(pg, 0.15));
  EXPECT_EQ(several.play().grade(), GradeValue::contaminated) << "together they took 450 ms";
}

TEST(RunGrades, ScrubOfUnknownLength_Contaminates) {
  const Played played = played_with(seconds(10), pg_was_scrubbed(3, std::nullopt));
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("PG 2.3 was scrubbed (osd.3), at ")));
}

TEST(RunGrades, ScrubThatDoesNotConcernTheRun_RunIsClean) {
  expect_clean(played_with(seconds(10), pg_of_another_pool_was_scrubbed(3)));
  Scenario before(light);
  before.before(pg_was_scrubbed(3, std::nullopt));
  expect_clean(before.play());
  expect_clean(played_with(seconds(3), pg_was_scrubbed(3, std::nullopt), "--warmup 8"));
  const Played pinned = played_with(seconds(10), pg_of_another_pool_was_scrubbed(0), "--osd 0");
  EXPECT_EQ(pinned.grade(), GradeValue::contaminated) << "on a pinned OSD every pool counts";
}

TEST(RunGrades, PgOfAnotherPoolMoves_RunIsClean) {
  expect_clean(played_with(seconds(10), pg_of_another_pool_moves(0, {3, 1})));
  expect_clean(played_with(seconds(10), pg_of_another_pool_moves(5, {3, 2}), "--osd 0"));
}

TEST(RunGrades, PoolSplits_Contaminates) {
  const Played played = played_with(seconds(10), pool_splits(16));
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), Contains(HasSubstr("the PGs of pool data became 16, from 8")));
}

TEST(RunGrades, BalancerMovesPgs_Contaminates) {
  const Played played = played_with(seconds(10), balancer_moves_pgs());
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("the balancer moved PGs, at ")));
}

// OSDs.

TEST(RunGrades, PinnedOsdIsRestarted_RunIsVoidAndNamesIt) {
  const Played played = played_with(seconds(10), osd_restarts(1), "--osd 1");
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_EQ(played.grade(), GradeValue::void_run);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("osd.1 was restarted, at ")));
}

TEST(RunGrades, OsdWithoutPgsOfThePinnedRunIsRestarted_RunIsClean) {
  expect_clean(played_with(seconds(10), osd_restarts(2), "--osd 0"));
}

TEST(RunGrades, OsdIsMarkedDownForASecond_ContaminatesAsTheSameProcess) {
  Scenario run(light);
  run.at(std::chrono::milliseconds(10'100), osd_is_marked_down(2));
  run.at(std::chrono::milliseconds(10'900), osd_is_marked_up_again(2));
  const Played played = run.play();
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("osd.2 was marked down and returned")));
}

TEST(RunGrades, OsdCompacts_ContaminatesWithItsOsdAndTime) {
  const Played played = played_with(seconds(12), osd_compacts(1), "", {.observed = true});
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(),
              ElementsAre(HasSubstr("osd.1 compacted RocksDB (a compaction was ordered), 0 to ")));
}

TEST(RunGrades, CountersAreReset_OsdHasNoFiguresAndTheRunIsClean) {
  const Played played = played_with(seconds(12), osd_counters_are_reset(1), "", {.observed = true});
  expect_clean(played);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("the counters of osd.1 were reset")));
  ASSERT_EQ(played.record.counters.size(), 4U);
  for (const auto& osd : played.record.counters) {
    EXPECT_EQ(osd.missing, osd.osd == 1 ? "its counters were reset" : "") << osd.osd;
  }
}

TEST(RunGrades, OsdRefusesItsCounters_OnlyItsFiguresAreMissing) {
  const Played played =
      played_with(Time(0), osd_refuses_commands(2, EACCES), "", {.observed = true});
  expect_clean(played);
  ASSERT_EQ(played.record.counters.size(), 4U);
  for (const auto& osd : played.record.counters) EXPECT_EQ(osd.missing.empty(), osd.osd != 2);
}

// Mons and mgr.

TEST(RunGrades, MonsHoldAnElection_Contaminates) {
  const Played played = played_with(seconds(10), mons_elect());
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("the mons held an election, at 1")));
}

TEST(RunGrades, MonLeavesTheQuorum_ContaminatesAndIsNamed) {
  const Played played = played_with(seconds(10), mon_leaves("b"));
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("mon.b left the quorum, at 1")));
}

TEST(RunGrades, MonsDoNotAnswerAnyMore_RunContinuesAndIsNotGraded) {
  const Played played = played_with(seconds(10), mons_answer_with(ETIMEDOUT));
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  EXPECT_EQ(played.grade(), GradeValue::unwatched);
  EXPECT_THAT(played.reasons(), Contains(HasSubstr("what the mons show was not watched for 2")));
  EXPECT_THAT(played.record.warnings, Contains(HasSubstr("the mons did not answer at the end")));
}

TEST(RunGrades, MgrIsAwayFor15s_RunIsNotGraded) {
  Scenario run(light);
  run.at(seconds(5), mgr_answers_with(ETIMEDOUT));
  run.at(seconds(20), mgr_answers_with(0));
  const Played played = run.play();
  EXPECT_EQ(played.grade(), GradeValue::unwatched);
  EXPECT_THAT(played.reasons(),
              ElementsAre(AllOf(HasSubstr("what the mgr shows was not watched for "),
                                HasSubstr("no answer within 5 s"))));
}

TEST(RunGrades, MgrIsAwayFor3s_RunIsClean) {
  Scenario run(light);
  run.at(seconds(5), mgr_answers_with(ETIMEDOUT));
  run.at(seconds(8), mgr_answers_with(0));
  expect_clean(run.play());
}

TEST(RunGrades, UserMayNotAskTheMgr_RunIsMeasuredAndNotGraded) {
  Scenario run(light);
  run.before(mgr_answers_with(EACCES));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_EQ(played.grade(), GradeValue::unwatched);
  EXPECT_THAT(played.reasons(), ElementsAre("it is unknown which PGs the run used",
                                            HasSubstr("what the mgr shows was not watched (")));
}

// Health.

TEST(RunGrades, OsdsAreNearfull_IsNotedAndTheRunIsClean) {
  const Played played = played_with(seconds(10), health_warns("OSD_NEARFULL", "3 nearfull osd(s)"));
  expect_clean(played);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("OSD_NEARFULL: 3 nearfull osd(s), 1")));
  EXPECT_THAT(played.record.warnings, IsEmpty());
}

TEST(RunGrades, DisturbanceOfTheWarmUp_DoesNotCount) {
  Scenario run(std::string(light) + " --warmup 20s");
  run.at(seconds(4), pg_is(5, "active+clean+scrubbing"));
  run.at(seconds(14), pg_is(5, ""));
  expect_clean(run.play());
}

TEST(RunGrades, DisturbanceInTheLastSecond_IsSeenByTheLastLook) {
  const Played played = played_with(std::chrono::milliseconds(29'900), osd_restarts(2));
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("osd.2 was restarted: its figures")));
}

TEST(RunGrades, PgMovesInTheLastSecond_IsSeenByTheLastLook) {
  const Played played = played_with(std::chrono::milliseconds(29'900), pg_moves(0, {3, 1}));
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), ElementsAre(HasSubstr("PG 2.0 moved from ")));
}

}  // namespace
}  // namespace radosload::test
