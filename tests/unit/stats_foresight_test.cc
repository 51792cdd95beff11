// What a design can find, said before it is carried out: known floors of p, and that simulated
// studies find what was said four times in five.

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/foresight.h"
#include "stats/rank_interval.h"
#include "unit/stats_arms_support.h"
#include "unit/stats_support.h"

namespace radosload::stats {
namespace {

using testing::judged;
using testing::normal;

Trials of_units(std::size_t units, std::size_t rounds = 5) {
  return {.units_a = units,
          .units_b = units,
          .units_paired = false,
          .rounds = rounds,
          .rounds_paired = true};
}

const Spread some_spread = {
    .between = 0.2, .within = 0.1, .between_degrees = 20, .within_degrees = 100};

TEST(Foresight, LeastP_IsThatOfTheRankSum) {
  EXPECT_NEAR(least_p(3, 3), 0.100, 0.0005);
  EXPECT_NEAR(least_p(4, 4), 0.029, 0.0005);
  EXPECT_NEAR(least_p(5, 5), 0.0079, 0.00005);
  EXPECT_NEAR(least_p(8, 8), 0.00016, 0.000005);
  EXPECT_DOUBLE_EQ(least_p_of_pairs(6), 1.0 / 32);
}

TEST(Foresight, FourAgainstFour_CanBeConclusiveForOneVerdictAndNeverForTwo) {
  const auto alone = foresee(of_units(4), Scope::this_kind, some_spread, 0.95, 0.05);
  EXPECT_TRUE(alone.possible);
  EXPECT_TRUE(alone.smallest);
  const double shared = level_of_first(0.95, 2);
  const auto two = foresee(of_units(4), Scope::this_kind, some_spread, shared, 0.05);
  EXPECT_FALSE(two.possible);
  EXPECT_FALSE(two.smallest);
  EXPECT_EQ(enough_for(shared, false), 5U);
  // As judge() has it: the interval that would be needed does not exist.
  EXPECT_FALSE(mann_whitney_rank(4, 4, shared));
}

TEST(Foresight, OneUnit_AssessesItselfButNotItsKind) {
  const auto kind = foresee(of_units(1), Scope::this_kind, some_spread, 0.95, 0.05);
  EXPECT_EQ(kind.method, Method::none);
  EXPECT_FALSE(kind.possible);
  const auto these = foresee(of_units(1), Scope::these_osds, some_spread, 0.95, 0.05);
  EXPECT_EQ(these.n_a, 5U);
  EXPECT_TRUE(these.smallest);
}

// About three times the coefficient of variation at 3 v 3, twice at 5 v 5, 1.5 times at 8 v 8;
// ranks need a little more than t.
TEST(Foresight, SmallestChangeOfAKind_FollowsTheScatterOfItsUnits) {
  const auto times = [](std::size_t units) {
    const Spread spread = {
        .between = 0.01, .within = 0.0, .between_degrees = 9, .within_degrees = 9};
    const auto one = foresee(of_units(units), Scope::this_kind, spread, 0.95, 0);
    return std::log1p(one.smallest.value()) / 0.01;
  };
  EXPECT_NEAR(times(3), 3.0, 0.1);
  EXPECT_NEAR(times(5), 2.25, 0.05);
  EXPECT_NEAR(times(8), 1.54, 0.05);
}

TEST(Foresight, MoreRounds_ShrinkOnlyWhatRoundsScatter) {
  const auto at = [](std::size_t units, std::size_t rounds, Scope scope) {
    return foresee(of_units(units, rounds), scope, some_spread, 0.95, 0.05).smallest.value();
  };
  EXPECT_LT(at(4, 20, Scope::these_osds), at(4, 10, Scope::these_osds));
  EXPECT_LT(at(8, 10, Scope::these_osds), at(4, 10, Scope::these_osds));
  EXPECT_LT(at(8, 10, Scope::this_kind), at(4, 10, Scope::this_kind) * 0.7);
  EXPECT_GT(at(4, 1000, Scope::this_kind), at(4, 10, Scope::this_kind) * 0.95);
}

TEST(Foresight, UnknownScatter_LeavesTheChangeUnknown) {
  const Spread one_round = {
      .between = 0.2, .within = {}, .between_degrees = 9, .within_degrees = 0};
  EXPECT_TRUE(foresee(of_units(4), Scope::this_kind, one_round, 0.95, 0.05).smallest);
  EXPECT_FALSE(foresee(of_units(4), Scope::these_osds, one_round, 0.95, 0.05).smallest);
  auto pairs = of_units(6);
  pairs.units_paired = true;
  EXPECT_FALSE(foresee(pairs, Scope::this_kind, one_round, 0.95, 0.05).smallest);
  EXPECT_TRUE(foresee(pairs, Scope::this_kind, some_spread, 0.95, 0.05).smallest);
}

std::vector<Sample> simulated(Random& random, const std::string& arm, std::size_t units,
                              std::size_t rounds, double factor) {
  std::vector<Sample> samples;
  for (std::size_t unit = 0; unit < units; ++unit) {
    const double own = *some_spread.between * normal(random);
    for (std::size_t round = 0; round < rounds; ++round) {
      samples.push_back({arm + std::to_string(unit), std::to_string(round),
                         factor * std::exp(own + *some_spread.within * normal(random))});
    }
  }
  return samples;
}

TEST(Foresight, Spread_IsFoundAgain) {
  Random random(22, "spread");
  const std::vector arms = {simulated(random, "a", 200, 10, 1), simulated(random, "b", 200, 10, 3)};
  const Spread found = spread_of(arms);
  EXPECT_NEAR(found.between.value(), *some_spread.between, 0.02);
  EXPECT_NEAR(found.within.value(), *some_spread.within, 0.005);
  const std::vector<std::vector<Sample>> one_round(1, simulated(random, "a", 200, 1, 1));
  const Spread whole = spread_of(one_round);
  EXPECT_FALSE(whole.within);
  EXPECT_NEAR(whole.between.value(), std::hypot(0.2, 0.1), 0.03);
  const std::vector<std::vector<Sample>> one_unit(1, simulated(random, "a", 1, 200, 1));
  EXPECT_FALSE(spread_of(one_unit).between);
  EXPECT_NEAR(spread_of(one_unit).within.value(), 0.1, 0.02);
  EXPECT_FALSE(spread_of(std::vector<std::vector<Sample>>()).any());
}

// Few figures tell little of their scatter.
TEST(Foresight, ScatterOfFewFigures_MayBeMuchLarger) {
  const auto at = [](double degrees) {
    const Spread spread = {
        .between = {}, .within = 0.05, .between_degrees = 0, .within_degrees = degrees};
    const auto one = foresee(of_units(4), Scope::these_osds, spread, 0.95, 0);
    return std::log1p(*one.at_worst) / std::log1p(*one.smallest);
  };
  EXPECT_NEAR(at(2), 2.117, 0.001);
  EXPECT_NEAR(at(1000), 1.0, 0.03);
}

TEST(Foresight, SmallestChange_IsFoundInAboutFourStudiesOfFive) {
  constexpr int studies = 2000;
  constexpr std::size_t units = 6;
  constexpr std::size_t rounds = 4;
  const Trials trials = of_units(units, rounds);
  const double change = foresee(trials, Scope::this_kind, some_spread, 0.95, 0.05).smallest.value();
  Random random(22, "foresight");
  int found = 0;
  for (int study = 0; study < studies; ++study) {
    const Question question{.metric = "p99",
                            .base = simulated(random, "a", units, rounds, 1),
                            .other = simulated(random, "b", units, rounds, 1 + change)};
    if (judged(question).this_kind.told == ArmVerdict::slower) ++found;
  }
  RecordProperty("found_of_2000", found);
  EXPECT_GT(found, studies * 0.70);
  EXPECT_LT(found, studies * 0.86);
}

}  // namespace
}  // namespace radosload::stats
