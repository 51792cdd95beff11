// Simulated pools: who is slow is known there, and so is that nobody is.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/random.h"
#include "stats/membership.h"

namespace radosload::stats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::size_t stretches = 20;

double normal(Random& random) {
  return std::sqrt(-2 * std::log(random.positive_unit())) *
         std::cos(2 * std::numbers::pi * random.unit());
}

using Sets = std::vector<std::vector<std::int32_t>>;

// So many OSDs of `osds`, any of them.
Sets random_sets(Random& random, std::size_t groups, std::int32_t osds, std::size_t size) {
  Sets sets;
  for (std::size_t i = 0; i < groups; ++i) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(osds));
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t j = 0; j < size; ++j) std::swap(all[j], all[j + random.below(all.size() - j)]);
    all.resize(size);
    sets.push_back(std::move(all));
  }
  return sets;
}

struct Sim {
  std::map<std::int32_t, double> slow = {};                       // by OSD: times as long
  std::map<std::size_t, double> hot = {};                         // by group
  double group_scatter = 0.1;                                     // of log latency
  double scatter = 0.6;                                           // of single operations
  double operations = 10;                                         // in a group and a stretch
  std::function<double(std::int32_t, std::size_t)> passing = {};  // log, by OSD and stretch
};

std::vector<Group> simulate(Random& random, const Sets& sets, const Sim& sim) {
  std::vector<double> weather;  // what all feel
  for (std::size_t i = 0; i < stretches; ++i) weather.push_back(0.3 * normal(random));
  std::vector<Group> groups;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    Group group{.members = sets[i], .stretches = {}};
    double own = sim.group_scatter * normal(random);
    if (const auto hot = sim.hot.find(i); hot != sim.hot.end()) own += std::log(hot->second);
    for (const std::int32_t osd : sets[i]) {
      if (const auto slow = sim.slow.find(osd); slow != sim.slow.end()) {
        own += std::log(slow->second);
      }
    }
    for (std::size_t j = 0; j < stretches; ++j) {
      double mean = 15 + own + weather[j];
      for (const std::int32_t osd : sets[i]) mean += sim.passing ? sim.passing(osd, j) : 0;
      const auto count = static_cast<std::uint64_t>(
          std::max(0.0, std::round(sim.operations + std::sqrt(sim.operations) * normal(random))));
      const auto real = static_cast<double>(count);
      group.stretches.push_back(
          {.count = count, .sum = real * mean + std::sqrt(real) * sim.scatter * normal(random)});
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<std::int32_t> those(const Membership& membership, Told told) {
  std::vector<std::int32_t> osds;
  for (const Member& member : membership.members) {
    if (member.told == told) osds.insert(osds.end(), member.ids.begin(), member.ids.end());
  }
  return osds;
}

Membership told_of(std::span<const Group> groups, const MembershipRules& rules = {}) {
  auto told = tell_members_apart(groups, rules);
  EXPECT_TRUE(told) << told.error().message();
  return told.value_or(Membership{});
}

// Pools of several shapes: many sets or all there are, replicated or with shards.
struct Shape {
  std::size_t groups;
  std::int32_t osds;
  std::size_t size;
};
constexpr std::array shapes = {Shape{32, 4, 3}, Shape{64, 8, 3}, Shape{128, 12, 2},
                               Shape{64, 12, 6}, Shape{64, 6, 1}};

// 40 studies of each shape: 200. The rate is that of studies in which anybody at all is accused;
// at 5 % and with three standard errors of so many studies, 19 would be allowed.
TEST(Membership, WithNobodySlowNobodyIsAccusedMoreOftenThanTheLevelAllows) {
  constexpr MembershipRules any_effect{.least_effect = 0};
  int accused = 0;
  int accused_of_what_matters = 0;
  for (const Shape& shape : shapes) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random random(seed, "null", shape.groups + shape.size);
      const Sets sets = random_sets(random, shape.groups, shape.osds, shape.size);
      const auto groups = simulate(random, sets, {});
      const Membership strict = told_of(groups, any_effect);
      if (strict.anybody(Told::slow) || strict.anybody(Told::fast)) ++accused;
      if (told_of(groups).anybody(Told::slow)) ++accused_of_what_matters;
    }
  }
  EXPECT_LE(accused, 19);
  EXPECT_EQ(accused_of_what_matters, 0);
}

// Groups that scatter widely, with heavy tails, unevenly used.
TEST(Membership, GroupsThatDifferByThemselvesAccuseNobody) {
  constexpr MembershipRules any_effect{.least_effect = 0};
  int accused = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed, "scatter");
    const Sets sets = random_sets(random, 48, 6, 3);
    Sim sim{.hot = {}, .group_scatter = 0};
    for (std::size_t i = 0; i < sets.size(); ++i) {
      sim.hot[i] = std::exp(0.5 * (-std::log(random.positive_unit()) - 1));
    }
    const Membership told = told_of(simulate(random, sets, sim), any_effect);
    accused += told.anybody(Told::slow) || told.anybody(Told::fast) ? 1 : 0;
  }
  EXPECT_LE(accused, 19);
}

TEST(Membership, TheSlowOneIsNamedAndNobodyElse) {
  for (const Shape& shape : shapes) {
    int named = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(seed, "slow", shape.groups + shape.size);
      const Sets sets = random_sets(random, shape.groups, shape.osds, shape.size);
      const Membership told = told_of(simulate(random, sets, {.slow = {{2, 2.0}}, .hot = {}}));
      const auto slow = those(told, Told::slow);
      named += slow == std::vector<std::int32_t>{2} ? 1 : 0;
      EXPECT_LE(slow.size(), 1U);
    }
    EXPECT_GE(named, 19) << shape.osds << " OSDs, size " << shape.size;
  }
}

TEST(Membership, TheEffectIsThatOfTheSimulation) {
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed, "effect");
    const Sets sets = random_sets(random, 128, 8, 3);
    const Membership told = told_of(simulate(random, sets, {.slow = {{5, 1.5}}, .hot = {}}));
    const Effect& effect = told.members.at(5).effect.value();
    EXPECT_NEAR(effect.estimate, std::log(1.5), 0.2);
    covered += effect.low < std::log(1.5) && effect.high > std::log(1.5) ? 1 : 0;
  }
  EXPECT_GE(covered, 95);
}

// A write takes as long as its slowest replica, which is no product of what its OSDs contribute.
TEST(Membership, AWriteThatWaitsForItsSlowestOsdIsUnderstood) {
  Random random(7);
  const Sets sets = random_sets(random, 64, 6, 3);
  std::vector<Group> groups;
  for (const auto& set : sets) {
    Group group{.members = set, .stretches = std::vector<Moments>(stretches)};
    for (int i = 0; i < 400; ++i) {
      double slowest = 0;
      for (const std::int32_t osd : set) {
        slowest = std::max(slowest, -std::log(random.positive_unit()) * (osd == 1 ? 3 : 1));
      }
      Moments& moments = group.stretches[static_cast<std::size_t>(i) % stretches];
      ++moments.count;
      moments.sum += std::log(slowest);
    }
    groups.push_back(std::move(group));
  }
  EXPECT_THAT(those(told_of(groups), Told::slow), ElementsAre(1));
}

// One hot object, with however many operations, is one placement group.
TEST(Membership, AHotGroupIsNobodysFault) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed, "hot");
    const Sets sets = random_sets(random, 32, 4, 3);
    auto groups = simulate(random, sets, {.slow = {}, .hot = {{3, 20.0}}});
    for (Moments& moments : groups[3].stretches) {
      moments.count *= 50;
      moments.sum *= 50;
    }
    EXPECT_FALSE(told_of(groups).anybody(Told::slow)) << seed;
  }
}

// A stall of two seconds in a run of forty.
TEST(Membership, WhatPassesAccusesNobody) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed, "passing");
    const Sets sets = random_sets(random, 64, 6, 3);
    const auto groups = simulate(
        random, sets, {.slow = {}, .hot = {}, .passing = [](std::int32_t osd, std::size_t stretch) {
                         return osd == 1 && stretch == 7 ? std::log(10000.0) : 0;
                       }});
    EXPECT_FALSE(told_of(groups).anybody(Told::slow)) << seed;
  }
}

TEST(Membership, TwoSlowOnesAreBothNamed) {
  Random random(3);
  const Sets sets = random_sets(random, 128, 8, 3);
  const Membership told =
      told_of(simulate(random, sets, {.slow = {{2, 2.5}, {6, 2.0}}, .hot = {}}));
  EXPECT_THAT(those(told, Told::slow), ElementsAre(2, 6));
  EXPECT_FALSE(told.anybody(Told::fast));
}

// The others must not be held against the fast one.
TEST(Membership, AFastOneMakesNoOtherSlow) {
  Random random(4);
  const Sets sets = random_sets(random, 64, 4, 2);
  const Membership told = told_of(simulate(random, sets, {.slow = {{3, 0.2}}, .hot = {}}));
  EXPECT_THAT(those(told, Told::fast), ElementsAre(3));
  EXPECT_FALSE(told.anybody(Told::slow));
}

TEST(Membership, WithTheSlowOneSetApartTheOthersAreLikeEachOther) {
  Random random(5);
  const Sets sets = random_sets(random, 128, 4, 3);
  const Membership told =
      told_of(simulate(random, sets, {.slow = {{0, 4.0}}, .hot = {}, .group_scatter = 0.02}));
  EXPECT_THAT(those(told, Told::slow), ElementsAre(0));
  EXPECT_THAT(those(told, Told::alike), ElementsAre(1, 2, 3));
  EXPECT_LT(told.unseen().value(), std::log(1.2));
}

// Three OSDs and three replicas: every set is the same.
TEST(Membership, OsdsThatAreAlwaysTogetherAreOneAndAccuseNobody) {
  Random random(6);
  const Sets sets(32, {0, 1, 2});
  const Membership told = told_of(simulate(random, sets, {.slow = {{1, 10.0}}, .hot = {}}));
  ASSERT_THAT(told.members, SizeIs(1));
  EXPECT_THAT(told.members[0].ids, ElementsAre(0, 1, 2));
  EXPECT_EQ(told.members[0].told, Told::inseparable);
  EXPECT_FALSE(told.members[0].effect);
  EXPECT_FALSE(told.unseen());
}

// Two that share every set are accused together, since nobody knows which of them it is.
TEST(Membership, TwoThatAreNeverApartAreAccusedTogether) {
  Random random(8);
  Sets sets = random_sets(random, 96, 5, 2);
  for (auto& set : sets) {
    const bool pair = std::find(set.begin(), set.end(), 4) != set.end();
    std::erase(set, 4);
    if (pair) set = {4, 5};
  }
  const Membership told = told_of(simulate(random, sets, {.slow = {{5, 3.0}}, .hot = {}}));
  EXPECT_THAT(those(told, Told::slow), ElementsAre(4, 5));
  ASSERT_THAT(told.members, SizeIs(5));
  EXPECT_THAT(told.members.back().ids, ElementsAre(4, 5));
}

// One OSD of each of three hosts in every set: OSDs compare within their hosts only.
TEST(Membership, OneOfEachHostIsComparedWithinTheHost) {
  Random random(9);
  Sets sets;
  for (int i = 0; i < 96; ++i) {
    const auto pick = [&random](std::int32_t host) {
      return host * 4 + static_cast<std::int32_t>(random.below(4));
    };
    sets.push_back({pick(0), pick(1), pick(2)});
  }
  // The whole of the last host is slow, which cannot be seen, and one of the first, which can.
  const Membership told = told_of(simulate(
      random, sets, {.slow = {{1, 2.0}, {8, 3.0}, {9, 3.0}, {10, 3.0}, {11, 3.0}}, .hot = {}}));
  ASSERT_THAT(told.peers, SizeIs(3));
  EXPECT_THAT(told.peers[1], ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(those(told, Told::slow), ElementsAre(1));
}

TEST(Membership, AnOsdInTooFewGroupsIsNotSpokenOf) {
  Random random(10);
  Sets sets = random_sets(random, 64, 6, 3);
  for (auto& set : sets) std::replace(set.begin(), set.end(), 5, 6 + set[0] % 1);
  sets[0] = {0, 1, 9};
  sets[1] = {1, 2, 9};
  const Membership told = told_of(simulate(random, sets, {.slow = {{9, 10.0}}, .hot = {}}));
  EXPECT_EQ(told.members.back().told, Told::scarce);
  EXPECT_FALSE(told.anybody(Told::slow));
}

TEST(Membership, WithoutDataItSaysWhatIsMissing) {
  EXPECT_THAT(tell_members_apart({}).error().message(), HasSubstr("no operation"));
  std::vector<Group> brief = {{.members = {0}, .stretches = {{.count = 5, .sum = 1}}},
                              {.members = {1}, .stretches = {{.count = 5, .sum = 1}}}};
  EXPECT_THAT(tell_members_apart(brief).error().message(), HasSubstr("too short"));
}

}  // namespace
}  // namespace radosload::stats
