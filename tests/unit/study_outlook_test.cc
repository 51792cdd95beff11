// What a study could find, before it begins: what cannot come out, what earlier figures say, the
// cells of a pilot, and whether its arms are compared fairly.

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "study/cell_figures.h"
#include "study/fairness.h"
#include "study/outlook.h"
#include "unit/osd_support.h"
#include "unit/study_support.h"

namespace radosload::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t metrics_of_a_run = 5;

Outlook outlook(const StudyDocument& document,
                const std::optional<EarlierFigures>& earlier = std::nullopt) {
  return outlook_of(document, earlier, metrics_of_a_run);
}

const Foreseen& of_scope(const Outlook& outlook, stats::Scope scope) {
  for (const Foreseen& one : outlook.comparisons) {
    if (one.now.scope == scope) return one;
  }
  ADD_FAILURE() << "no such scope";
  return outlook.comparisons.front();
}

StudyDocument measured_study(unsigned rounds = 4, std::size_t units = 4) {
  StudyDocument document = document_of_test(plan_of_test(rounds), units_of_test(units, units));
  ScriptedWorld script;
  EXPECT_EQ(conduct(document, "", script.world()).ended, Ended::complete);
  return document;
}

TEST(Outlook, NothingMeasured_ShowsWhatIsPossibleAndNoSmallestChange) {
  const auto found = outlook(document_of_test(plan_of_test(10), units_of_test(4, 4)));
  EXPECT_EQ(found.spread_of, "");
  ASSERT_EQ(found.comparisons.size(), 2U);
  for (const Foreseen& one : found.comparisons) {
    EXPECT_EQ(one.metric, "w IOPS");
    EXPECT_TRUE(one.now.possible);
    EXPECT_FALSE(one.now.smallest);
  }
  // The other four metrics share the level, which four against four cannot reach.
  ASSERT_EQ(found.never.size(), 1U);
  EXPECT_THAT(found.never[0],
              HasSubstr("in scope this-kind only the primary metric can have a verdict"));
  EXPECT_THAT(found.never[0], HasSubstr("p = 0.029"));
}

TEST(Outlook, FourAgainstFourWithoutAPrimaryMetric_CanNeverBeConclusive) {
  StudyPlan plan = plan_of_test(10);
  plan.primary.clear();
  const auto found = outlook(document_of_test(plan, units_of_test(4, 4)));
  ASSERT_EQ(found.never.size(), 1U);
  EXPECT_THAT(found.never[0],
              HasSubstr("scope this-kind can never be conclusive: 4 against 4 units reach p = "
                        "0.029 at best, and 5 verdicts that share the level need 0.01; name a "
                        "primary metric, or take 5 units in each arm"));
  EXPECT_FALSE(of_scope(found, stats::Scope::this_kind).now.possible);
  EXPECT_TRUE(of_scope(found, stats::Scope::these_osds).now.possible);
}

TEST(Outlook, OneUnitAndOneRound_AreNotAssessable) {
  const auto found = outlook(document_of_test(plan_of_test(1), units_of_test(1, 1)));
  EXPECT_THAT(found.never, ElementsAre(HasSubstr("these-osds is not assessable with 1 round"),
                                       HasSubstr("this-kind is not assessable: an arm has 1 OSD")));
}

TEST(Outlook, ThreeUnits_NeedAnAssumption) {
  const auto found = outlook(document_of_test(plan_of_test(10), units_of_test(3, 3)));
  EXPECT_THAT(found.never, ElementsAre(HasSubstr("this-kind needs an assumption")));
}

TEST(Outlook, Phases_AreComparedByPairsOfUnits) {
  StudyPlan plan = plan_of_test(5);
  plan.phases = {{.name = "before", .command = ""}, {.name = "after", .command = "x"}};
  const auto found = outlook(document_of_test(plan, units_of_test(3, 4)));
  const Foreseen& kind = of_scope(found, stats::Scope::this_kind);
  EXPECT_EQ(kind.base, "before");
  EXPECT_EQ(kind.other, "after");
  EXPECT_TRUE(kind.now.pairs);
  EXPECT_EQ(kind.now.n_a, 7U);
  EXPECT_FALSE(of_scope(found, stats::Scope::these_osds).now.pairs);
}

TEST(Outlook, EarlierFigures_GiveTheSmallestChangeAndTheEffectOfMoreRounds) {
  const StudyDocument earlier = measured_study();
  const StudyDocument next = document_of_test(plan_of_test(10), units_of_test(4, 4));
  const auto found = outlook(next, figures_so_far(earlier, {"w"}));
  EXPECT_THAT(found.spread_of, HasSubstr(earlier.id));
  for (const Foreseen& one : found.comparisons) {
    ASSERT_TRUE(one.now.smallest);
    EXPECT_GT(*one.now.smallest, plan_of_test().threshold);
    EXPECT_LT(*one.more_rounds.smallest, *one.now.smallest);
    EXPECT_LT(*one.more_units.smallest, *one.now.smallest);
  }
  EXPECT_THAT(figures_so_far(earlier, {"another load"}).figures, IsEmpty());
}

// Who sees the difference in a pilot may stop or go on by it, and the verdict is then worth less.
TEST(Outlook, DifferenceOfTheArms_IsNotLookedAt) {
  const StudyDocument same = measured_study();
  StudyDocument far = same;
  for (CellTry& one : far.tries) {
    if (far.cells[one.cell].arm == "wal") one.figures[0].value *= 7;
  }
  const auto a = outlook(same, figures_so_far(same, {"w"}));
  const auto b = outlook(far, figures_so_far(far, {"w"}));
  for (std::size_t i = 0; i < a.comparisons.size(); ++i) {
    EXPECT_NEAR(*a.comparisons[i].now.smallest, *b.comparisons[i].now.smallest, 1e-9);
  }
}

TEST(Pilot, IsTwoRounds_AndItsCellsCount) {
  StudyDocument document = document_of_test(plan_of_test(6));
  const auto cells = cells_of_pilot(document);
  ASSERT_TRUE(cells);
  EXPECT_EQ(*cells, 8U);
  ScriptedWorld script;
  auto world = script.world();
  world.most_cells = *cells;
  EXPECT_EQ(conduct(document, "", world).ended, Ended::piloted);
  EXPECT_EQ(script.measured.size(), 8U);
  const auto found = outlook(document, figures_so_far(document, {"w"}));
  EXPECT_TRUE(of_scope(found, stats::Scope::these_osds).now.smallest);
  EXPECT_EQ(conduct(document, "", script.world()).ended, Ended::complete);
  EXPECT_EQ(script.measured.size(), document.cells.size());
  // Its order and figures are those of a study without a pilot.
  StudyDocument whole = document_of_test(plan_of_test(6));
  ScriptedWorld other;
  conduct(whole, "", other.world());
  EXPECT_EQ(whole, document);
}

TEST(Pilot, OfPhases_EndsWithinTheFirst) {
  StudyPlan plan = plan_of_test(2);
  plan.phases = {{.name = "before", .command = ""}, {.name = "after", .command = "x"}};
  const StudyDocument document = document_of_test(plan);
  EXPECT_EQ(cells_of_pilot(document).value(), document.cells.size() / 2);
}

TEST(Pilot, ThatWouldBeTheWholeStudy_IsRefused) {
  const auto whole = cells_of_pilot(document_of_test(plan_of_test(2)));
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().exit, Exit::usage);
  EXPECT_THAT(whole.error().message(), HasSubstr("the study has 2 rounds"));
  StudyPlan probe = plan_of_test();
  probe.probe = Probe{.every = std::chrono::minutes(5), .for_time = std::chrono::hours(3)};
  EXPECT_FALSE(cells_of_pilot(document_of_test(probe)));
}

// ---- fair arms ----

std::vector<ArmUnits> arms_of(const std::string& a, const std::string& b) {
  return {{.arm = "wal", .units = {a}}, {.arm = "db", .units = {b}}};
}

TEST(Fairness, OsdsThatDifferInMore_AreRefusedUnlessForced) {
  // Of the same model, and three times as full.
  const auto fairness = fairness_of(arms_of("osd.6", "osd.7"), placement::testing::home_lab());
  EXPECT_TRUE(fairness.unfair);
  EXPECT_THAT(fairness.differences, testing::Contains(HasSubstr("(unfair)")));
  const auto refused = refusal_of(fairness, false);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->exit, Exit::refused);
  EXPECT_THAT(refused->message(), HasSubstr("osd.6 and osd.7 differ in"));
  EXPECT_THAT(refused->message(), HasSubstr("--force"));
  EXPECT_FALSE(refusal_of(fairness, true));
}

TEST(Fairness, OsdsThatAreAlike_AreCompared) {
  const auto fairness = fairness_of(arms_of("osd.9", "osd.11"), placement::testing::home_lab());
  EXPECT_FALSE(fairness.unfair);
  EXPECT_FALSE(refusal_of(fairness, false));
}

TEST(Fairness, EachOsdIsComparedWithTheOneMostLikeIt) {
  std::vector<ArmUnits> arms = arms_of("osd.6", "osd.11");
  EXPECT_TRUE(fairness_of(arms, placement::testing::home_lab()).unfair);
  arms[0].units.push_back("osd.9");
  EXPECT_FALSE(fairness_of(arms, placement::testing::home_lab()).unfair);
}

TEST(Fairness, PoolsAndTheSameOsd_AreNotCompared) {
  EXPECT_THAT(fairness_of(arms_of("pool a", "pool b"), placement::testing::home_lab()).differences,
              IsEmpty());
  EXPECT_THAT(fairness_of(arms_of("osd.3", "osd.3"), placement::testing::home_lab()).differences,
              IsEmpty());
}

}  // namespace
}  // namespace radosload::study
