// The order of a study's cells: what every seed must give, and the turns of ABBA.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "unit/study_support.h"

namespace radosload::study {
namespace {

std::vector<StudyCell> cells_of(const StudyPlan& plan, const std::vector<ArmUnits>& units,
                                std::uint64_t seed) {
  return schedule(plan, units, seed).value();
}

RC_GTEST_PROP(Schedule, EveryRound_VisitsEveryUnitOfEveryArmOnceUnderEachLoad, ()) {
  StudyPlan plan = plan_of_test(*rc::gen::inRange(1U, 6U));
  plan.order = *rc::gen::element(Order::shuffled, Order::abba, Order::listed);
  plan.works.push_back({.what = Work::What::timer, .name = "scrub", .words = {"scrub"}});
  const auto units =
      units_of_test(*rc::gen::inRange<std::size_t>(1, 6), *rc::gen::inRange<std::size_t>(1, 6));
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto cells = cells_of(plan, units, seed);
  RC_ASSERT(cells == cells_of(plan, units, seed));
  std::map<std::tuple<std::uint32_t, std::string, std::string, std::size_t>, int> visits;
  std::uint32_t round = 1;
  for (const StudyCell& cell : cells) {
    ++visits[{cell.round, cell.arm, cell.unit, cell.work}];
    RC_ASSERT(cell.round >= round);  // one round after the other
    round = cell.round;
  }
  const std::size_t all = units[0].units.size() + units[1].units.size();
  RC_ASSERT(visits.size() == plan.rounds * all * 2);
  for (const auto& [visit, times] : visits) RC_ASSERT(times == 1);
}

TEST(Schedule, Rounds_HaveOrdersOfTheirOwnThatTheSeedDetermines) {
  const auto units = units_of_test(6, 6);
  const auto cells = cells_of(plan_of_test(4), units, 1);
  std::set<std::vector<std::string>> orders;
  for (std::size_t round = 0; round < 4; ++round) {
    std::vector<std::string> order;
    for (std::size_t i = 0; i < 12; ++i) order.push_back(cells[(round * 12) + i].unit);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 4U);
  EXPECT_NE(cells, cells_of(plan_of_test(4), units, 2));
}

std::string letters(const std::vector<StudyCell>& cells) {
  std::string text;
  for (const StudyCell& cell : cells) text += cell.arm == "plain" ? 'A' : 'B';
  return text;
}

TEST(Schedule, Abba_IsABBAOrBAABAndBothHappen) {
  for (const std::size_t units : {1U, 2U, 3U}) {
    std::set<std::string> turns;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const std::string text =
          letters(cells_of(plan_of_test(4, Order::abba), units_of_test(units, units), seed));
      ASSERT_EQ(text.size(), 8 * units);
      for (std::size_t i = 0; i < text.size(); i += 4) turns.insert(text.substr(i, 4));
    }
    EXPECT_EQ(turns, (std::set<std::string>{"ABBA", "BAAB"})) << units;
  }
}

// A flush every four cells, say, must not come to the same arm each time.
TEST(Schedule, WhatDisturbsEveryFewCells_DisturbsBothArms) {
  constexpr unsigned rounds = 400;
  const std::string text =
      letters(cells_of(plan_of_test(rounds, Order::abba), units_of_test(1, 1), 7));
  for (const std::size_t period : {2U, 3U, 4U, 6U, 8U}) {
    std::map<char, double> disturbed;
    double all = 0;
    for (std::size_t i = 0; i < text.size(); i += period) {
      ++disturbed[text[i]];
      ++all;
    }
    EXPECT_NEAR(disturbed['A'] / all, 0.5, 2.2 / std::sqrt(all)) << period;
  }
}

TEST(Schedule, SteadyDrift_WeighsOnBothArmsOfAbbaAlike) {
  const auto cells = cells_of(plan_of_test(4, Order::abba), units_of_test(3, 3), 9);
  double sums[2] = {0, 0};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    sums[cells[i].arm == "plain" ? 0 : 1] += static_cast<double>(i);
  }
  EXPECT_DOUBLE_EQ(sums[0], sums[1]);
}

TEST(Schedule, Phases_FollowEachOther) {
  StudyPlan plan = plan_of_test(2);
  plan.phases = {{.name = "before", .command = ""}, {.name = "after", .command = ""}};
  const auto cells = cells_of(plan, units_of_test(), 3);
  ASSERT_EQ(cells.size(), 16U);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i].phase, i < 8 ? "before" : "after");
  }
}

TEST(Schedule, Probe_HasATimeForEachCellAndHoursAsRounds) {
  StudyPlan plan = plan_of_test();
  plan.probe = Probe{.every = std::chrono::minutes(30), .for_time = std::chrono::hours(2)};
  const auto cells = cells_of(plan, units_of_test(1, 1), 3);
  ASSERT_EQ(cells.size(), 8U);
  EXPECT_EQ(cells[0].round, 1U);
  EXPECT_EQ(cells[7].round, 2U);
  EXPECT_EQ(cells[7].at, std::chrono::minutes(90));
}

TEST(Schedule, TooManyCellsOrNone_AreRefused) {
  const auto many = schedule(plan_of_test(100'000), units_of_test(), 1);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().exit, Exit::usage);
  EXPECT_THAT(many.error().message(), testing::HasSubstr("400000 cells"));
  EXPECT_FALSE(schedule(plan_of_test(), {}, 1));
}

TEST(Schedule, ObjectsAreSharedInARoundOfAnArmAndByAllRoundsWhereTheyAreKept) {
  StudyPlan plan = plan_of_test(2, Order::abba);
  const StudyCell cell{.phase = "a", .round = 1, .arm = "plain", .unit = "osd.1", .work = 0};
  const StudyCell load{.phase = "a", .round = 1, .arm = "plain", .unit = "osd.1", .work = 1};
  const StudyCell round{.phase = "a", .round = 2, .arm = "plain", .unit = "osd.1", .work = 0};
  const StudyCell phase{.phase = "b", .round = 1, .arm = "plain", .unit = "osd.1", .work = 0};
  const StudyCell arm{.phase = "a", .round = 1, .arm = "db", .unit = "osd.1", .work = 0};
  EXPECT_TRUE(share_objects(plan, cell, load));
  for (const StudyCell& other : {round, phase, arm}) EXPECT_FALSE(share_objects(plan, cell, other));
  plan.keep_objects = true;
  for (const StudyCell& other : {load, round, phase}) EXPECT_TRUE(share_objects(plan, cell, other));
  EXPECT_FALSE(share_objects(plan, cell, arm));
}

TEST(Schedule, CellsHaveSeedsOfTheirOwn) {
  std::set<std::uint64_t> seeds;
  for (std::size_t i = 0; i < 1000; ++i) seeds.insert(seed_of_cell(7, i));
  EXPECT_EQ(seeds.size(), 1000U);
  EXPECT_EQ(seed_of_cell(7, 3), seed_of_cell(7, 3));
  EXPECT_NE(seed_of_cell(7, 3), seed_of_cell(8, 3));
}

}  // namespace
}  // namespace radosload::study
