// Carrying out a study: repeating what is spoilt, phases, interrupts, and that a study killed
// anywhere comes to the same verdict when it is continued.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "study/cell_figures.h"
#include "unit/study_support.h"

namespace radosload::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Measured graded(Measured measured, TryState state, std::string reason) {
  measured.state = state;
  measured.reason = std::move(reason);
  return measured;
}

std::string verdict_text(const StudyDocument& document, Counted counted = Counted::all) {
  const auto verdicts = judge_study(document, counted);
  if (!verdicts) return verdicts.error().message();
  std::string text;
  for (const Contest& contest : verdicts->contests) {
    for (const auto* const one : {&contest.answer.these_osds, &contest.answer.this_kind}) {
      text += contest.base + "/" + contest.other + " " + contest.answer.metric + " " +
              std::string(stats::arm_verdict_name(one->told)) + " " +
              std::to_string(one->ratio.value_or(0)) + " " + std::to_string(one->n_a) + "\n";
    }
  }
  return text;
}

TEST(Conduct, CleanCells_AreMeasuredOnceInTheOrderOfTheSchedule) {
  StudyDocument document = document_of_test();
  ScriptedWorld script;
  const auto ended = conduct(document, "", script.world());
  EXPECT_EQ(ended.ended, Ended::complete);
  ASSERT_EQ(script.measured.size(), document.cells.size());
  for (std::size_t i = 0; i < script.measured.size(); ++i) EXPECT_EQ(script.measured[i], i);
  EXPECT_THAT(verdict_text(document), HasSubstr("plain/wal w IOPS faster"));
}

TEST(Conduct, VoidCell_IsRepeatedAndDoesNotCount) {
  StudyDocument document = document_of_test();
  ScriptedWorld script;
  int voids = 2;
  script.measure = [&](const StudyDocument& study, std::size_t cell) {
    Measured measured = measured_of(study, cell);
    if (cell != 4 || voids-- <= 0) return measured;
    measured.figures[0].value = 1e9;  // what must not count
    return graded(measured, TryState::void_cell, "osd.3 restarted");
  };
  conduct(document, "", script.world());
  EXPECT_EQ(std::count(script.measured.begin(), script.measured.end(), 4), 3);
  const auto tally = tally_of(document);
  EXPECT_EQ(tally.measured, document.cells.size());
  EXPECT_EQ(tally.repeats, 2U);
  EXPECT_THAT(script.notes.front(), HasSubstr("osd.3 restarted"));
  // Every try is kept, and the verdict is that of a study in which nothing happened.
  StudyDocument calm = document_of_test();
  ScriptedWorld quiet;
  conduct(calm, "", quiet.world());
  EXPECT_EQ(verdict_text(document), verdict_text(calm));
  EXPECT_EQ(document.tries[4].state, TryState::void_cell);
}

TEST(Conduct, CellThatStaysVoid_IsGivenUpAfterThreeRepeats) {
  StudyDocument document = document_of_test();
  ScriptedWorld script;
  script.measure = [](const StudyDocument& study, std::size_t cell) {
    return cell == 0 ? graded(measured_of(study, cell), TryState::void_cell, "PGs moved")
                     : measured_of(study, cell);
  };
  EXPECT_EQ(conduct(document, "", script.world()).ended, Ended::complete);
  EXPECT_EQ(std::count(script.measured.begin(), script.measured.end(), 0), 4);
  EXPECT_EQ(tally_of(document).given_up, 1U);
  EXPECT_EQ(tally_of(document).measured, document.cells.size() - 1);
}

Measured every_third_contaminated(const StudyDocument& study, std::size_t cell) {
  Measured measured = measured_of(study, cell);
  if (cell % 3 != 0) return measured;
  measured.figures[0].value *= 50;
  return graded(measured, TryState::contaminated, "a scrub ran");
}

TEST(Conduct, ContaminatedCells_CountAndAreLeftOutOfTheSecondVerdict) {
  StudyDocument document = document_of_test(plan_of_test(6));
  ScriptedWorld script;
  script.measure = every_third_contaminated;
  conduct(document, "", script.world());
  EXPECT_EQ(script.measured.size(), document.cells.size());
  EXPECT_EQ(tally_of(document).contaminated, document.cells.size() / 3);
  std::size_t all = 0;
  std::size_t clean = 0;
  for (const auto& arms : arms_of_study(document, Counted::all)) all += arms.figures.size();
  for (const auto& arms : arms_of_study(document, Counted::without_contaminated)) {
    for (const ArmFigure& figure : arms.figures) EXPECT_LT(figure.value, 1000);
    clean += arms.figures.size();
  }
  EXPECT_EQ(all, document.cells.size());
  EXPECT_EQ(clean, document.cells.size() * 2 / 3);
}

TEST(Conduct, RequireClean_RepeatsContaminatedCellsAndKeepsTheLastOfThem) {
  StudyPlan plan = plan_of_test(1);
  plan.require_clean = true;
  StudyDocument document = document_of_test(plan);
  ScriptedWorld script;
  script.measure = every_third_contaminated;
  conduct(document, "", script.world());
  EXPECT_EQ(std::count(script.measured.begin(), script.measured.end(), 0), 4);
  const auto states = cell_states(document);
  ASSERT_TRUE(states[0].counts);
  EXPECT_EQ(*states[0].counts, 3U);
  EXPECT_EQ(tally_of(document).contaminated, 2U);
}

TEST(Conduct, FailedCell_StopsTheStudyAndIsMeasuredAfterResume) {
  StudyDocument document = document_of_test();
  ScriptedWorld script;
  bool broken = true;
  script.measure = [&](const StudyDocument& study, std::size_t cell) {
    if (cell != 2 || !broken) return measured_of(study, cell);
    Measured measured = graded({}, TryState::failed, "no cluster");
    measured.ends_study = Error{.reason = "no cluster", .exit = Exit::no_cluster};
    return measured;
  };
  const auto ended = conduct(document, "", script.world());
  EXPECT_EQ(ended.ended, Ended::stopped);
  EXPECT_EQ(ended.error->exit, Exit::no_cluster);
  broken = false;
  EXPECT_EQ(conduct(document, "", script.world()).ended, Ended::complete);
  EXPECT_EQ(tally_of(document).measured, document.cells.size());
}

TEST(Conduct, Interrupt_EndsAfterTheCellAndCostsNoRepeat) {
  StudyDocument document = document_of_test();
  ScriptedWorld script;
  bool stop = false;
  script.measure = [&](const StudyDocument& study, std::size_t cell) {
    stop = cell == 3;
    return stop ? graded({}, TryState::interrupted, "SIGINT") : measured_of(study, cell);
  };
  script.interrupted = [&] { return stop; };
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(conduct(document, "", script.world()).ended, Ended::interrupted);
    stop = false;
  }
  script.measure = measured_of;
  EXPECT_EQ(conduct(document, "", script.world()).ended, Ended::complete);
  EXPECT_EQ(tally_of(document).measured, document.cells.size());
}

TEST(Conduct, LinesThatCannotBeKept_EndTheStudy) {
  StudyDocument document = document_of_test();
  ScriptedWorld script;
  auto world = script.world();
  world.keep = [](const std::string&) -> Status { return fail({.reason = "the disk is full"}); };
  const auto ended = conduct(document, "", world);
  EXPECT_EQ(ended.ended, Ended::stopped);
  EXPECT_TRUE(script.measured.empty());  // nothing is measured that could not be noted
}

StudyPlan plan_with_phases(const std::string& command) {
  StudyPlan plan = plan_of_test(3);
  plan.arms.pop_back();
  plan.phases = {{.name = "before", .command = ""}, {.name = "after", .command = command}};
  return plan;
}

std::vector<ArmUnits> one_arm() {
  auto units = units_of_test(4);
  units.pop_back();
  return units;
}

TEST(Conduct, PhaseByHand_IsWaitedForAndThenPairedByUnit) {
  StudyDocument document = document_of_test(plan_with_phases(""), one_arm());
  ScriptedWorld script;
  auto ended = conduct(document, "", script.world());
  EXPECT_EQ(ended.ended, Ended::waiting);
  EXPECT_EQ(ended.next_phase, "after");
  EXPECT_EQ(script.measured.size(), document.cells.size() / 2);
  EXPECT_EQ(conduct(document, "before", script.world()).ended, Ended::waiting);
  ended = conduct(document, "after", script.world());
  EXPECT_EQ(ended.ended, Ended::complete);
  const auto verdicts = judge_study(document, Counted::all);
  ASSERT_TRUE(verdicts) << verdicts.error().message();
  const Contest& contest = verdicts->contests.front();
  EXPECT_EQ(contest.base, "before");
  EXPECT_EQ(contest.other, "after");
  EXPECT_TRUE(contest.answer.this_kind.pairs);
  EXPECT_EQ(contest.answer.this_kind.n_a, 4U);
}

TEST(Conduct, PhaseCommand_RunsOnceAndItsFailureEndsTheStudy) {
  StudyDocument document = document_of_test(plan_with_phases("change it"), one_arm());
  ScriptedWorld script;
  script.reach = [](const Phase&) -> Status {
    return fail({.reason = "status 7", .exit = Exit::flawed});
  };
  const auto ended = conduct(document, "", script.world());
  EXPECT_EQ(ended.ended, Ended::stopped);
  EXPECT_EQ(ended.error->exit, Exit::flawed);
  script.reach = [](const Phase&) { return Status{}; };
  EXPECT_EQ(conduct(document, "", script.world()).ended, Ended::complete);
  EXPECT_THAT(script.reached, ElementsAre("after", "after"));
  EXPECT_EQ(document.phases.size(), 2U);
}

TEST(Conduct, ArmsWithinPhases_AreComparedBesideThePhases) {
  StudyPlan plan = plan_of_test(3);
  plan.phases = {{.name = "before", .command = ""}, {.name = "after", .command = "x"}};
  StudyDocument document = document_of_test(plan);
  ScriptedWorld script;
  conduct(document, "", script.world());
  const auto verdicts = judge_study(document, Counted::all);
  ASSERT_TRUE(verdicts);
  std::vector<std::string> contests;
  for (const Contest& one : verdicts->contests) contests.push_back(one.base + " v " + one.other);
  EXPECT_THAT(contests, ElementsAre("before v after", "plain (before) v wal (before)",
                                    "plain (after) v wal (after)"));
}

// What a killed process leaves is a beginning of the lines, torn anywhere.
TEST(Conduct, StudyKilledAtAnyByte_HasTheSameVerdict) {
  const StudyDocument fresh = document_of_test(plan_of_test(2));
  StudyDocument whole = fresh;
  ScriptedWorld first;
  conduct(whole, "", first.world());
  const std::string expected = verdict_text(whole);
  const std::string text = study_json(fresh);
  for (std::size_t bytes = 0; bytes <= first.lines.size(); bytes += 37) {
    const std::string left = first.lines.substr(0, bytes);
    auto document = study_from_json(text, left, "test");
    ASSERT_TRUE(document) << document.error().message();
    ScriptedWorld second;
    second.lines = left.substr(0, left.rfind('\n') + 1);
    ASSERT_EQ(conduct(*document, "", second.world()).ended, Ended::complete);
    EXPECT_EQ(verdict_text(*document), expected) << bytes;
    EXPECT_EQ(document->cells, whole.cells);
    const auto again = study_from_json(text, second.lines, "test");
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *document);
  }
}

TEST(Conduct, CutOffCell_KeepsTheRunThatWasFound) {
  StudyDocument document = document_of_test(plan_of_test(1));
  document.open = OpenTry{.cell = 0, .began = "2026-11-25T05:00:00Z", .process = "p"};
  ScriptedWorld script;
  conduct(document, "", script.world());
  EXPECT_EQ(document.tries[0].state, TryState::cut_off);
  EXPECT_THAT(document.tries[0].runs, ElementsAre("run-cut"));
  EXPECT_EQ(tally_of(document).measured, document.cells.size());
}

}  // namespace
}  // namespace radosload::study
