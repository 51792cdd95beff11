// How often a verdict is wrong, over thousands of simulated pools of the layouts that CRUSH rules
// make. Seeds are fixed, so a rate is the same on every machine.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "stats/slow_members.h"
#include "unit/stats_support.h"

namespace radosload::stats {
namespace {

using stats::testing::HostRule;
using stats::testing::Sim;

struct Layout {
  std::string name;
  std::size_t groups;
  HostRule rule;
};

std::vector<Layout> layouts() {
  return {
      {"3 of 8 OSDs", 40, {{1, 1, 1, 1, 1, 1, 1, 1}, 3, 1}},
      {"2 of 3 hosts, unequal", 40, {{1, 2, 4}, 2, 1}},
      {"each of 3 hosts, unequal", 40, {{1, 2, 4}, 3, 1}},
      {"2 of 3 hosts, 2 OSDs each, one pair", 48, {{2, 3, 3}, 2, 2}},
      {"EC 4+2: 3 of 4 hosts, 2 OSDs each, two pairs", 64, {{2, 2, 3, 4}, 3, 2}},
      {"EC 4+2: 6 of 12 OSDs", 48, {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 6, 1}},
  };
}

constexpr std::uint64_t pools = 340;  // of each layout: 2,040

// What a rate may be when the method keeps its level: three errors of as many simulations above it.
// The method is cautious (the wider of two intervals, a level shared out to all OSDs), so rates
// below the level are right; that it still finds who is slow is tested as well.
double most_wrong(double simulations) {
  constexpr double wrong = 0.05;
  return wrong + 3 * std::sqrt(wrong * (1 - wrong) / simulations);
}

struct Wrong {
  int accused = 0;    // pools in which an OSD in order was called slow or fast
  int uncovered = 0;  // pools in which any interval misses the true effect
  int missed = 0;     // slow OSDs that were not called so
};

// How many times slower the slow OSDs of a pool are.
using SlowOnes = std::vector<double>;

void study(const Layout& layout, std::uint64_t seed, const SlowOnes& slow, Wrong& wrong) {
  Random random(seed, layout.name);
  std::int32_t osds = 0;
  for (const std::int32_t size : layout.rule.host_sizes) osds += size;
  // Drawn in any case, so that the pools are the same whoever is slow in them.
  const auto first = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(osds)));
  Sim sim;
  for (const double times : slow) {
    sim.slow[(first + static_cast<std::int32_t>(sim.slow.size()) * 3) % osds] = times;
  }
  const auto sets = host_sets(random, layout.groups, layout.rule);
  // Whatever is certain is said, however small: the level is that of accusations then.
  const Membership told = stats::testing::told_of(simulate(random, sets, sim), {.least_effect = 0});
  bool accused = false;
  bool uncovered = false;
  for (std::size_t i = 0; i < told.members.size(); ++i) {
    const Member& member = told.members[i];
    if (!member.effect) continue;
    const bool guilty = std::any_of(member.ids.begin(), member.ids.end(),
                                    [&sim](std::int32_t id) { return sim.slow.contains(id); });
    const bool named = member.told == Verdict::slow || member.told == Verdict::fast;
    if (named && !guilty) accused = true;
    if (guilty && member.told != Verdict::slow) ++wrong.missed;
    const double truth = true_effect(told, i, sim);
    if (truth < member.effect->low || truth > member.effect->high) uncovered = true;
  }
  wrong.accused += accused ? 1 : 0;
  wrong.uncovered += uncovered ? 1 : 0;
}

void expect_rates(const SlowOnes& slow) {
  Wrong all;
  for (const Layout& layout : layouts()) {
    Wrong wrong;
    for (std::uint64_t seed = 1; seed <= pools; ++seed) study(layout, seed, slow, wrong);
    const auto most = most_wrong(static_cast<double>(pools)) * static_cast<double>(pools);
    EXPECT_LE(wrong.accused, most) << layout.name;
    EXPECT_LE(wrong.uncovered, most) << layout.name;
    const auto all_slow = static_cast<double>(pools * std::max<std::size_t>(1, slow.size()));
    EXPECT_LE(wrong.missed, most_wrong(all_slow) * all_slow) << layout.name;
    all.accused += wrong.accused;
    all.uncovered += wrong.uncovered;
  }
  const auto simulations = static_cast<double>(pools * layouts().size());
  EXPECT_LE(all.accused, most_wrong(simulations) * simulations);
  EXPECT_LE(all.uncovered, most_wrong(simulations) * simulations);
  ::testing::Test::RecordProperty("accused", all.accused);
  ::testing::Test::RecordProperty("uncovered", all.uncovered);
}

TEST(MembershipRates, NoOsdIsSlow_FalseVerdictsAndCoverageKeepTheLevel) {
  expect_rates({});
}

TEST(MembershipRates, OneOsdFiveTimesSlower_OthersAreNotSlowAndIntervalsHold) {
  expect_rates({5});
}

TEST(MembershipRates, OneOsdTenTimesSlower_OthersAreNotSlowAndIntervalsHold) {
  expect_rates({10});
}

TEST(MembershipRates, TwoOsdsFiveTimesSlower_OthersAreNotSlowAndIntervalsHold) {
  expect_rates({5, 5});
}

}  // namespace
}  // namespace radosload::stats
