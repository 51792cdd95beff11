// Simulated pools: who is slow is known there, and so is that nobody is.

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "base/random.h"
#include "stats/slow_members.h"
#include "unit/stats_support.h"

namespace radosload::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using stats::testing::random_sets;
using stats::testing::Sets;
using stats::testing::Sim;
using stats::testing::simulate;
using stats::testing::stretches;
using stats::testing::those;
using stats::testing::told_of;

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
TEST(Membership, NoOsdIsSlow_FalseVerdictsKeepTheLevel) {
  constexpr MembershipRules any_effect{.least_effect = 0};
  int accused = 0;
  int accused_of_what_matters = 0;
  for (const Shape& shape : shapes) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Random random(seed, "null", shape.groups + shape.size);
      const Sets sets = random_sets(random, shape.groups, shape.osds, shape.size);
      const auto groups = simulate(random, sets, {});
      const Membership strict = told_of(groups, any_effect);
      if (strict.has(Verdict::slow) || strict.has(Verdict::fast)) ++accused;
      if (told_of(groups).has(Verdict::slow)) ++accused_of_what_matters;
    }
  }
  EXPECT_LE(accused, 19);
  EXPECT_EQ(accused_of_what_matters, 0);
}

// Groups that scatter widely, with heavy tails, unevenly used.
TEST(Membership, GroupsDiffer_NoOsdIsSlow) {
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
    accused += told.has(Verdict::slow) || told.has(Verdict::fast) ? 1 : 0;
  }
  EXPECT_LE(accused, 19);
}

TEST(Membership, OneOsdIsSlow_OnlyThatOneIsNamed) {
  for (const Shape& shape : shapes) {
    int named = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(seed, "slow", shape.groups + shape.size);
      const Sets sets = random_sets(random, shape.groups, shape.osds, shape.size);
      const Membership told = told_of(simulate(random, sets, {.slow = {{2, 2.0}}, .hot = {}}));
      const auto slow = those(told, Verdict::slow);
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
TEST(Membership, WriteAsSlowAsItsSlowestOsd_SlowOsdIsNamed) {
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
  EXPECT_THAT(those(told_of(groups), Verdict::slow), ElementsAre(1));
}

// One hot object, with however many operations, is one placement group.
TEST(Membership, OneHotGroup_NoOsdIsSlow) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed, "hot");
    const Sets sets = random_sets(random, 32, 4, 3);
    auto groups = simulate(random, sets, {.slow = {}, .hot = {{3, 20.0}}});
    for (Moments& moments : groups[3].stretches) {
      moments.count *= 50;
      moments.sum *= 50;
    }
    EXPECT_FALSE(told_of(groups).has(Verdict::slow)) << seed;
  }
}

// A stall of two seconds in a run of forty.
TEST(Membership, ShortDisturbance_NoOsdIsSlow) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed, "passing");
    const Sets sets = random_sets(random, 64, 6, 3);
    const auto groups = simulate(
        random, sets, {.slow = {}, .hot = {}, .passing = [](std::int32_t osd, std::size_t stretch) {
                         return osd == 1 && stretch == 7 ? std::log(10000.0) : 0;
                       }});
    EXPECT_FALSE(told_of(groups).has(Verdict::slow)) << seed;
  }
}

TEST(Membership, TwoSlowOnesAreBothNamed) {
  Random random(3);
  const Sets sets = random_sets(random, 128, 8, 3);
  const Membership told =
      told_of(simulate(random, sets, {.slow = {{2, 2.5}, {6, 2.0}}, .hot = {}}));
  EXPECT_THAT(those(told, Verdict::slow), ElementsAre(2, 6));
  EXPECT_FALSE(told.has(Verdict::fast));
}

// The others must not be held against the fast one.
TEST(Membership, FastOsd_NoOtherIsSlow) {
  Random random(4);
  const Sets sets = random_sets(random, 64, 4, 2);
  const Membership told = told_of(simulate(random, sets, {.slow = {{3, 0.2}}, .hot = {}}));
  EXPECT_THAT(those(told, Verdict::fast), ElementsAre(3));
  EXPECT_FALSE(told.has(Verdict::slow));
}

TEST(Membership, WithoutTheSlowOsd_TheOthersAreAlike) {
  Random random(5);
  const Sets sets = random_sets(random, 128, 4, 3);
  const Membership told =
      told_of(simulate(random, sets, {.slow = {{0, 4.0}}, .hot = {}, .group_scatter = 0.02}));
  EXPECT_THAT(those(told, Verdict::slow), ElementsAre(0));
  EXPECT_THAT(those(told, Verdict::alike), ElementsAre(1, 2, 3));
  EXPECT_LT(told.unseen().value(), std::log(1.2));
}

// Three OSDs and three replicas: every set is the same.
TEST(Membership, OsdsAlwaysTogether_AreOneUnit) {
  Random random(6);
  const Sets sets(32, {0, 1, 2});
  const Membership told = told_of(simulate(random, sets, {.slow = {{1, 10.0}}, .hot = {}}));
  ASSERT_THAT(told.members, SizeIs(1));
  EXPECT_THAT(told.members[0].ids, ElementsAre(0, 1, 2));
  EXPECT_EQ(told.members[0].told, Verdict::inseparable);
  EXPECT_FALSE(told.members[0].effect);
  EXPECT_FALSE(told.unseen());
}

// Two of five OSDs, but osd.4 is with osd.5 only, and osd.5 with osd.4.
Sets sets_with_a_pair(Random& random) {
  Sets sets = random_sets(random, 96, 5, 2);
  for (auto& set : sets) {
    if (std::find(set.begin(), set.end(), 4) != set.end()) set = {4, 5};
  }
  return sets;
}

// Two that share every set are accused together, since nobody knows which of them it is.
TEST(Membership, SlowPairAlwaysTogether_BothAreNamed) {
  Random random(8);
  const Sets sets = sets_with_a_pair(random);
  const Membership told = told_of(simulate(random, sets, {.slow = {{5, 3.0}}, .hot = {}}));
  EXPECT_THAT(those(told, Verdict::slow), ElementsAre(4, 5));
  ASSERT_THAT(told.members, SizeIs(5));
  EXPECT_THAT(told.members.back().ids, ElementsAre(4, 5));
}

TEST(Membership, PairThatIsNeverApart_OneOfItSlow_ItsEffectIsThatOfTheSlowOne) {
  Random random(11);
  const Sets sets = sets_with_a_pair(random);
  const Membership told =
      told_of(simulate(random, sets, {.slow = {{5, 3.0}}, .hot = {}, .group_scatter = 0.02}));
  EXPECT_NEAR(told.members.back().effect.value().estimate, std::log(3.0), 0.1);
}

TEST(Membership, PairAlwaysTogether_AnotherOsdSlow_PairIsNotSlow) {
  for (const double times : {5.0, 10.0}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Random random(seed, "pair");
      const Sets sets = sets_with_a_pair(random);
      const Membership told =
          told_of(simulate(random, sets, {.slow = {{0, times}}, .hot = {}, .group_scatter = 0.05}));
      EXPECT_THAT(those(told, Verdict::slow), ElementsAre(0)) << seed;
      EXPECT_FALSE(told.has(Verdict::fast)) << seed;
      EXPECT_NEAR(told.members.back().effect.value().estimate, 0, 0.1) << seed;
    }
  }
}

// Each group's latency has a part that none of its members brings: a group with a member more does
// not start from a higher level.
TEST(Membership, GroupsOfUnequalSize_OneOsdSlow_OsdOfLargeGroupsIsNotSlow) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed, "sizes");
    Sets sets = random_sets(random, 48, 5, 2);
    for (const auto& set : random_sets(random, 24, 5, 3)) sets.push_back(set);
    for (auto set : random_sets(random, 24, 5, 2)) {
      set.push_back(5);
      sets.push_back(set);
    }
    const Membership told =
        told_of(simulate(random, sets, {.slow = {{0, 20.0}}, .hot = {}, .group_scatter = 0.05}));
    EXPECT_THAT(those(told, Verdict::slow), ElementsAre(0)) << seed;
    EXPECT_FALSE(told.has(Verdict::fast)) << seed;
    EXPECT_NEAR(told.members.back().effect.value().estimate, 0, 0.15) << seed;
  }
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
  EXPECT_THAT(those(told, Verdict::slow), ElementsAre(1));
}

TEST(Membership, OsdInTooFewGroups_HasNoVerdict) {
  Random random(10);
  Sets sets = random_sets(random, 64, 6, 3);
  for (auto& set : sets) std::replace(set.begin(), set.end(), 5, 6 + set[0] % 1);
  sets[0] = {0, 1, 9};
  sets[1] = {1, 2, 9};
  const Membership told = told_of(simulate(random, sets, {.slow = {{9, 10.0}}, .hot = {}}));
  EXPECT_EQ(told.members.back().told, Verdict::scarce);
  EXPECT_FALSE(told.has(Verdict::slow));
}

// 25 groups on each OSD.
TEST(Membership, OfAThousandOsdsTheSlowOneIsNamed) {
  Random random(12);
  const Sets sets = random_sets(random, 8192, 1000, 3);
  const Membership told = told_of(simulate(random, sets, {.slow = {{618, 3.0}}, .hot = {}}));
  EXPECT_THAT(told.members, SizeIs(1000));
  EXPECT_THAT(those(told, Verdict::slow), ElementsAre(618));
  EXPECT_FALSE(told.has(Verdict::fast));
}

TEST(Membership, WithoutData_ErrorSaysWhatIsMissing) {
  EXPECT_THAT(tell_members_apart({}).error().message(), HasSubstr("no operation"));
  std::vector<Group> brief = {{.members = {0}, .stretches = {{.count = 5, .sum = 1}}},
                              {.members = {1}, .stretches = {{.count = 5, .sum = 1}}}};
  EXPECT_THAT(tell_members_apart(brief).error().message(), HasSubstr("too short"));
}

}  // namespace
}  // namespace radosload::stats
