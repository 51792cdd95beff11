// What a run makes of operations that fail, wait, come late or never come: it says what happened,
// ends in time with the right status, and counts every operation once.
#include <csignal>
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/scenario.h"

#include <fmt/format.h>

namespace radosload::test {
namespace {

using record::EndedBy;
using record::GradeValue;
using record::RunStatus;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

constexpr const char* reads = "--pattern randread4k,size=4M,object-size=64k,qd=16";
constexpr const char* mixed = "--pattern randrw4k,size=4M,object-size=64k,qd=16";

// A run with this pattern, and more options.
std::string words(const char* pattern, const std::string& more) {
  return fmt::format("{} {}", pattern, more);
}

void expect_conservation(const Played& played) {
  EXPECT_EQ(record::conservation_violation(played.record), std::nullopt);
}

TEST(RunFaults, NothingHappens_RunIsCompleteAndClean) {
  Scenario run(words(mixed, "--time 10"));
  const Played played = run.play();
  EXPECT_EQ(played.error, "");
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  EXPECT_EQ(played.grade(), GradeValue::clean);
  EXPECT_THAT(played.reasons(), IsEmpty());
  EXPECT_THAT(played.record.warnings, IsEmpty());
  EXPECT_THAT(played.notes, IsEmpty());
  EXPECT_EQ(played.total().finished.ops, 16U * 1000) << "16 at a time for 10 ms each";
  expect_conservation(played);
}

// OSDs.

TEST(RunFaults, OsdDiesAndIsBack_RunWaitsAndLosesNothing) {
  Scenario run(words(mixed, "--time 60"));
  run.at(seconds(3), osd_stops_answering(2));
  run.at(seconds(23), osd_is_marked_down(2));
  run.at(seconds(40), osd_boots(2));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  EXPECT_THAT(played.errors(), IsEmpty());
  EXPECT_EQ(played.total().lost.ops(), 0U);
  EXPECT_NEAR(static_cast<double>(played.total().latency.service().max()), 20e9, 1e8);
  EXPECT_EQ(played.grade(), GradeValue::contaminated);
  EXPECT_THAT(played.reasons(), Contains(HasSubstr("osd.2 went down: its figures")));
  EXPECT_THAT(played.stuck, ElementsAre(HasSubstr("osd.2: ")));
  expect_conservation(played);
}

TEST(RunFaults, OsdDiesInThePrefill_PrefillWaitsAndTheLoadIsMeasured) {
  Scenario run(words(mixed, "--time 5"));
  run.in_prefill(milliseconds(20), osd_stops_answering(1));
  run.in_prefill(seconds(30), osd_is_marked_down(1));
  run.at(seconds(2), osd_boots(1));
  const Played played = run.play();
  EXPECT_EQ(played.error, "");
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_GT(played.total().ops(), 0U);
  expect_conservation(played);
}

TEST(RunFaults, NoWriteOfThePrefillIsAnswered_RunEndsAfterItsPatience) {
  Scenario run(words(mixed, "--time 5"));
  run.in_prefill(milliseconds(5), answers_are_lost({}));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::no_cluster);
  EXPECT_THAT(played.error,
              AllOf(HasSubstr("no write was answered for 2 m"), HasSubstr("ceph health detail")));
}

TEST(RunFaults, OsdIsSilentWhenTheTimeIsOver_LastOperationsAreWaitedFor) {
  Scenario run(words(mixed, "--time 3 --drain 30s"));
  run.at(seconds(2), osd_stops_answering(1));
  run.at(seconds(12), osd_answers_again(1));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::measured);
  EXPECT_EQ(played.record.measured, seconds(3));
  EXPECT_EQ(played.record.last_answer, seconds(12));
  EXPECT_GT(played.total().drained.ops, 0U);
  EXPECT_EQ(played.record.measured_flow.cancelled, 0U);
  expect_conservation(played);
}

TEST(RunFaults, PgsLoseTheirOnlyOsd_AreReportedAndGivenUpAtTheEnd) {
  Scenario run(words(reads, "--time 30 --drain 1s"), {.shape = {.replicas = 1}});
  run.at(seconds(2), osd_stops_answering(0));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  ASSERT_THAT(played.stuck, ElementsAre(HasSubstr("osd.0: 16 operations for up to 28 s (PG 2.")));
  EXPECT_EQ(played.total().cancelled, 16U);
  EXPECT_EQ(played.total().lost.ops(), 16U);
  EXPECT_EQ(played.record.unfinished, 0U);
  expect_conservation(played);
}

TEST(RunFaults, OsdAnswersNotEvenACancel_OperationsAreUnfinishedAndSaid) {
  Scenario run(words(reads, "--time 5 --drain 1s"));
  run.at(seconds(2), osd_falls_silent(3));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_EQ(played.record.unfinished, 16U);
  EXPECT_EQ(played.total().lost.ops(), 16U);
  EXPECT_THAT(played.record.warnings,
              Contains("16 operations were never answered, not even after they were cancelled"));
  EXPECT_EQ(played.record.measured_flow.submitted, played.record.measured_flow.ended() + 16);
}

TEST(RunFaults, OsdAnswersAStepLater_LateAnswersAreNotCountedAgain) {
  Scenario series(words(mixed, "--time 5 --drain 1s"));
  series.at(seconds(2), osd_falls_silent(3));
  const Played first = series.play();
  EXPECT_EQ(first.record.unfinished, 16U);
  series.in_prefill(milliseconds(1), osd_answers_again(3));
  const Played second = series.play();
  EXPECT_EQ(second.error, "");
  EXPECT_EQ(second.exit, Exit::measured);
  EXPECT_EQ(second.total().finished.ops, 16U * 500);
  expect_conservation(second);
}

// Answers.

TEST(RunFaults, AFewAnswersAreLost_OnlyTheseAreGivenUp) {
  Scenario run(words(reads, "--time 10 --drain 5s"));
  run.at(Time(0), answers_are_lost({.kind = OpKind::read, .first = 1000, .last = 1002}));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_EQ(played.total().cancelled, 3U);
  EXPECT_EQ(played.total().lost.ops(), 3U);
  EXPECT_THAT(played.errors(), IsEmpty());
  expect_conservation(played);
}

TEST(RunFaults, ConnectionIsLostFor10s_AnswersInAnyOrderAreCountedOnce) {
  for (const AnswerOrder order : {AnswerOrder::as_sent, AnswerOrder::reversed}) {
    Scenario run(words(mixed, "--time 30"));
    run.at(seconds(5), connection_is_lost());
    run.at(seconds(15), connection_is_back(order));
    const Played played = run.play();
    EXPECT_EQ(played.exit, Exit::measured);
    EXPECT_EQ(played.record.ended_by, EndedBy::time);
    EXPECT_EQ(played.total().finished.ops, 16U * 2000) << "ten of thirty seconds are missing";
    EXPECT_THAT(played.events("health"), Contains(HasSubstr("its health is unknown for now")));
    EXPECT_THAT(played.events("health"), Contains("its health is known again"));
    expect_conservation(played);
  }
}

TEST(RunFaults, OperationsTimeOut_AreCountedByErrnoAndTheLateWritesHarmNothing) {
  Scenario run(words(mixed, "--time 30 --op-timeout 2s --verify generation"),
               {.keeps_content = true});
  run.at(seconds(5), osd_stops_answering(3));
  run.at(seconds(12), osd_answers_again(3));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  const auto errors = played.errors();
  ASSERT_THAT(errors, ElementsAre(Pair("ETIMEDOUT", testing::Gt(0U))));
  EXPECT_EQ(played.total().lost.ops(), errors.at("ETIMEDOUT"));
  expect_conservation(played);
}

// Failures.

TEST(RunFaults, PoolIsDeleted_RunEndsBy5sOfErrorsAndIsVoid) {
  Scenario run(words(mixed, "--time 100"));
  run.at(milliseconds(2500), pool_is_deleted());
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_EQ(played.record.status, RunStatus::interrupted);
  EXPECT_EQ(played.record.ended_by, EndedBy::errors);
  EXPECT_LE(played.record.measured, seconds(9));
  EXPECT_THAT(played.errors(), ElementsAre(Pair("ENOENT", testing::Gt(0U))));
  EXPECT_EQ(played.grade(), GradeValue::void_run);
  EXPECT_THAT(played.reasons(), Contains(HasSubstr("pool data was deleted, at ")));
  EXPECT_THAT(played.record.warnings, Contains("pool data was deleted during the run"));
  EXPECT_THAT(played.record.warnings, Contains(HasSubstr("the run was ended early: for 5 s")));
  expect_conservation(played);
}

TEST(RunFaults, SomeOperationsFail_RunContinuesAndCountsThemByErrno) {
  Scenario run(words(mixed, "--time 10"));
  run.at(seconds(2), operations_fail(-EIO, {.osd = 1}));
  run.at(seconds(3), operations_succeed({.osd = 1}));
  run.at(seconds(5), operations_fail(-ENOSPC, {.kind = OpKind::write}));
  run.at(seconds(6), operations_succeed({.kind = OpKind::write}));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  EXPECT_THAT(played.errors(),
              ElementsAre(Pair("EIO", testing::Gt(0U)), Pair("ENOSPC", testing::Gt(0U))));
  EXPECT_EQ(played.grade(), GradeValue::clean) << "the cluster was quiet";
  expect_conservation(played);
}

TEST(RunFaults, AllFailFor4s_RunContinues) {
  Scenario run(words(reads, "--time 20"));
  run.at(seconds(5), operations_fail(-EAGAIN));
  run.at(seconds(9), operations_succeed());
  const Played played = run.play();
  EXPECT_EQ(played.record.ended_by, EndedBy::time);
  EXPECT_EQ(played.exit, Exit::flawed);
}

TEST(RunFaults, WritesOfThePrefillAreRefused_NothingIsMeasured) {
  Scenario run(words(reads, "--time 5"));
  run.before(operations_fail(-EPERM, {.kind = OpKind::write}));
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::no_cluster);
  EXPECT_THAT(played.error, AllOf(HasSubstr("write the objects to read"), HasSubstr("EPERM")));
}

// Content.

TEST(RunFaults, ObjectsAreRolledBack_LostWritesAreFoundAndNamed) {
  Scenario run("--pattern randrw4k,size=256k,object-size=64k,qd=4 --time 10",
               {.keeps_content = true});
  run.at(seconds(3), contents_are_remembered());
  run.at(seconds(6), contents_are_rolled_back());
  const Played played = run.play();
  EXPECT_EQ(played.exit, Exit::flawed);
  EXPECT_THAT(played.errors(), ElementsAre(Pair("LOST_WRITE", testing::Gt(0U))));
  EXPECT_THAT(played.events("verify"), Contains(AllOf(HasSubstr("LOST_WRITE: read of 4096 bytes"),
                                                      HasSubstr("from object.00000000000"))));
  EXPECT_EQ(played.notes.front(), played.events("verify").front());
  EXPECT_EQ(played.record.verification->followed, 64U);
  expect_conservation(played);
}

TEST(RunFaults, NoWriteIsLost_NothingIsFound) {
  for (const char* const more : {"--verify generation", "--verify full"}) {
    Scenario run(words(mixed, fmt::format("--time 5 --warmup 2s {}", more)),
                 {.keeps_content = true});
    const Played played = run.play();
    EXPECT_EQ(played.exit, Exit::measured);
    EXPECT_THAT(played.errors(), IsEmpty());
    EXPECT_GT(played.record.verification->read_back, 0U);
  }
}

}  // namespace
}  // namespace radosload::test
