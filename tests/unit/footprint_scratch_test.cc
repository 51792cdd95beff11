// Making and removing scratch pools on a scripted cluster: refusals before anything is changed,
// failures at each step, and what is ours and what is not.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "footprint/owner.h"
#include "footprint/scratch_removal.h"
#include "scratch_support.h"

namespace radosload::footprint {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::json;
using ::testing::Not;
using testing::ScratchCluster;
using ::testing::SizeIs;

constexpr const char* untouched = "hdd replicated_rule";

placement::OsdInventory four_osds() {
  placement::OsdInventory inventory;
  for (std::int32_t id = 0; id < 4; ++id) {
    inventory.osds.push_back({.id = id, .up = true, .device_class = "hdd", .pgs = 50});
    inventory.osds.back().location = {{"host", "a"}, {"root", "default"}};
  }
  return inventory;
}

// Virtual time.
struct World {
  ScratchCluster cluster;
  placement::OsdInventory inventory = four_osds();
  Time now{0};
  int interrupted_at = -1;  // the step that is the last
  int steps = 0;
  std::vector<std::string> notes;

  ScratchHooks hooks() {
    ScratchHooks hooks;
    hooks.now = [this] { return now; };
    hooks.sleep = [this](Time time) { now += time; };
    hooks.step = [this](const std::string& text) {
      ++steps;
      notes.push_back(text);
    };
    hooks.interrupted = [this] { return interrupted_at >= 0 && steps >= interrupted_at; };
    return hooks;
  }
  Result<ScratchPlan> plan(std::vector<std::int32_t> osds = {0, 3}) {
    const std::string name = scratch_name(osds);
    return plan_scratch(cluster, inventory, {.name = name, .osds = std::move(osds)});
  }
  Result<std::int64_t> make(const std::vector<std::int32_t>& osds = {0, 3}) {
    const auto planned = plan(osds);
    if (!planned) return fail(planned.error());
    return make_scratch(cluster, *planned, {.mark = {.owner = this_process(), .since = "t"}},
                        hooks());
  }
  std::vector<ScratchFound> found() { return find_scratch(fetch_scratch(cluster).value()); }
  Result<ScratchRemovals> remove(const ScratchRemoval& removal = {}) {
    return remove_scratch(cluster, removal, hooks());
  }
};

TEST(ScratchNames, BearThePrefixWhetherItWasGivenOrNot) {
  EXPECT_EQ(scratch_name("a"), "radosload-scratch-a");
  EXPECT_EQ(scratch_name("radosload-scratch-a"), "radosload-scratch-a");
  EXPECT_EQ(scratch_name(std::vector<std::int32_t>{0, 3}), "radosload-scratch-0-3");
  EXPECT_EQ(scratch_name(std::vector<std::int32_t>(7, 1)), "radosload-scratch-7-osds");
}

TEST(ScratchMarks, ReadBackAsTheyWere) {
  ScratchMark mark{.ready = false, .owner = this_process(), .since = "20261121T040012Z"};
  const std::string text = encode_mark(mark);
  EXPECT_LE(text.size(), 128U);
  EXPECT_EQ(text.find_first_of(" /:[]"), std::string::npos) << text;
  const ScratchMark again = decode_mark(text);
  EXPECT_EQ(encode_mark(again), text);
  EXPECT_EQ(again.owner.pid, mark.owner.pid);
  EXPECT_EQ(again.owner.pid_space, mark.owner.pid_space);
  EXPECT_FALSE(again.ready);
  EXPECT_TRUE(decode_mark("whatever").ready) << "no leftover of a create: it stays until destroyed";
}

TEST(Scratch, IsMadeBoundMarkedAndReady) {
  World world;
  const auto made = world.make();
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_THAT(world.cluster.contents(), HasSubstr("2.0:0 2.1:3 2.2:0"));
  const auto found = world.found();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].name, "radosload-scratch-0-3");
  EXPECT_EQ(found[0].state, ScratchFound::State::ready);
  EXPECT_EQ(found[0].osds, "0,3");
  EXPECT_EQ(found[0].upmaps, 16U);
  EXPECT_EQ(found[0].rule, "radosload-scratch-0-3");
}

// An upmap that says what CRUSH says is dropped, and then the PG is the balancer's.
TEST(Scratch, ItsOsdsWeighNothingForCrushUnlessThereAreNoOthers) {
  World some;
  ASSERT_TRUE(some.make({1}));
  EXPECT_THAT(some.cluster.weightless(), ElementsAre("osd.1"));
  World all;
  ASSERT_TRUE(all.make({0, 1, 2, 3}));
  EXPECT_THAT(all.cluster.weightless(), IsEmpty());
}

TEST(Scratch, ANameThatIsFreeIsNotedByItsRuleBeforeThereIsAPool) {
  World world;
  ASSERT_TRUE(world.make());
  EXPECT_EQ(world.cluster.told[0], "osd crush rule create-replicated");
  EXPECT_EQ(world.cluster.told[1], "osd pool create");
}

TEST(Scratch, SizeOneIsSetWhereAPoolIsMadeWithMore) {
  World world;
  world.cluster.size_made = 3;
  ASSERT_TRUE(world.make());
  EXPECT_EQ(world.found()[0].size, 1U);
}

void expect_refused(World& world, const std::string& what, const std::string& remedy) {
  const auto plan = world.plan();
  ASSERT_FALSE(plan) << what;
  EXPECT_EQ(plan.error().exit, Exit::refused);
  EXPECT_THAT(plan.error().message(), AllOf(HasSubstr(what), HasSubstr(remedy)));
  EXPECT_THAT(world.cluster.told, IsEmpty());
}

TEST(ScratchRefusals, NameTheSettingAndTheCommandForIt) {
  World size;
  size.cluster.settings["mon_allow_pool_size_one"] = "false";
  expect_refused(size, "size 1", "ceph config set global mon_allow_pool_size_one true");
  World deletion;
  deletion.cluster.settings["mon_allow_pool_delete"] = "false";
  expect_refused(deletion, "could not be removed again",
                 "ceph config set mon mon_allow_pool_delete true");
  World old_clients;
  old_clients.cluster.oldest_client = "jewel";
  expect_refused(old_clients, "jewel", "ceph osd set-require-min-compat-client luminous");
  World full;
  full.cluster.settings["mon_max_pg_per_osd"] = "50";
  expect_refused(full, "osd.0 has 50 PGs", "mon_max_pg_per_osd");
}

TEST(ScratchRefusals, ComeAllAtOnce) {
  World world;
  world.cluster.settings["mon_allow_pool_size_one"] = "false";
  world.cluster.settings["mon_allow_pool_delete"] = "false";
  expect_refused(world, "mon_allow_pool_size_one", "mon_allow_pool_delete");
}

TEST(ScratchRefusals, OsdsThatAreDownOrOutAreNamed) {
  World world;
  world.inventory.osds[3].up = false;
  expect_refused(world, "osd.3 is down", "ceph osd tree");
  world.inventory.osds[3].up = true;
  world.inventory.osds[3].in = false;
  expect_refused(world, "osd.3 is out", "ceph osd in 3");
}

TEST(ScratchRefusals, APoolOfThatNameIsLeftAlone) {
  World world;
  world.cluster.add_pool("radosload-scratch-0-3", "replicated_rule", 3, 8);
  expect_refused(world, "there is a pool of that name", "scratch create NAME");
}

TEST(ScratchRefusals, WithoutTheMgrTheMonsDatabaseIsAsked) {
  World world;
  world.cluster.mgr_away = true;
  EXPECT_TRUE(world.plan());
  world.cluster.settings["mon_allow_pool_delete"] = "false";
  EXPECT_FALSE(world.plan());
}

// Who has just followed the advice is not refused until the mgr has heard of it.
TEST(ScratchRefusals, EndWhenTheSettingIsInTheMonsDatabase) {
  World world;
  world.cluster.settings["mon_allow_pool_delete"] = "false";
  EXPECT_FALSE(world.plan());
  world.cluster.database["mon_allow_pool_delete"] = "true";
  EXPECT_TRUE(world.plan());
}

TEST(ScratchRights, AreNamedWithTheLineThatGrantsThem) {
  World world;
  world.cluster.errors["osd crush rule create-replicated"] = EACCES;
  const auto made = world.make();
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().exit, Exit::no_cluster);
  EXPECT_THAT(made.error().message(), HasSubstr("ceph auth caps"));
  EXPECT_THAT(made.error().message(), HasSubstr("allow service osd rw"));
}

class ScratchFailures : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(At, ScratchFailures,
                         ::testing::Values("osd crush rule create-replicated", "osd pool create",
                                           "osd pool application enable",
                                           "osd pool application set",
                                           "osd crush weight-set create",
                                           "osd crush weight-set reweight", "osd pg-upmap"));

TEST_P(ScratchFailures, TakeBackWhatWasMade) {
  World world;
  world.cluster.errors[GetParam()] = EINVAL;
  const auto made = world.make();
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("has been removed again"));
  EXPECT_EQ(world.cluster.contents(), untouched);
}

TEST(Scratch, PgsThatDoNotComeAreGivenUpAndEverythingIsTakenBack) {
  World world;
  world.cluster.pgs_stay = true;
  const auto made = world.make();
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(),
              AllOf(HasSubstr("0 of 16 PGs are where they belong after 2 m"),
                    HasSubstr("is on 9 instead of osd.0")));
  EXPECT_EQ(world.cluster.contents(), untouched);
}

TEST(Scratch, InterruptedAtAnyStepItTakesBackWhatWasMade) {
  for (int step = 0; step < 5; ++step) {
    World world;
    world.interrupted_at = step;
    world.cluster.pgs_stay = true;
    const auto made = world.make();
    ASSERT_FALSE(made) << step;
    EXPECT_EQ(made.error().exit, Exit::interrupted) << step;
    EXPECT_EQ(world.cluster.contents(), untouched) << step;
  }
}

TEST(Scratch, WhatCannotBeTakenBackIsSaidAndFoundLater) {
  World world;
  world.cluster.errors["osd pg-upmap"] = ETIMEDOUT;
  world.cluster.errors["osd pool delete"] = ETIMEDOUT;
  const auto made = world.make();
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("radosload cleanup --scratch"));
  ASSERT_THAT(world.found(), SizeIs(1));
  EXPECT_EQ(world.found()[0].state, ScratchFound::State::making);
}

// `osd pool create` does not tell one that was there from one that it has made.
TEST(Scratch, SomebodyElsesOfTheSameMomentIsLeftAlone) {
  World world;
  world.cluster.before = [&](const std::string& prefix) {
    if (prefix == "osd pool create") {
      world.cluster.add_pool("radosload-scratch-0-3", "radosload-scratch-0-3", 1, 64);
    }
  };
  const auto made = world.make();
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("somebody else"));
  EXPECT_THAT(world.cluster.told, Not(Contains("osd pool delete")));
}

TEST(ScratchRemoval, LeavesNothing) {
  World world;
  ASSERT_TRUE(world.make());
  const auto removed = world.remove();
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->pools[0].fate, Fate::removed);
  EXPECT_EQ(world.cluster.contents(), untouched);
}

TEST(ScratchRemoval, APoolWithoutOurMarkIsNeverTouched) {
  World world;
  world.cluster.add_pool("radosload-scratch-theirs", "replicated_rule", 3, 8);
  world.cluster.add_rule("radosload-scratch-rbd", "default");
  world.cluster.add_pool("radosload-scratch-rbd", "radosload-scratch-rbd", 3, 8);
  world.cluster.mark("radosload-scratch-rbd", {{"rbd", json::object()}});
  const std::string before = world.cluster.contents();
  EXPECT_TRUE(world.remove({.force = true}));
  const auto named = world.remove({.names = {"radosload-scratch-theirs"}, .force = true});
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().exit, Exit::refused);
  EXPECT_THAT(named.error().message(), HasSubstr("does not bear radosload's mark"));
  EXPECT_EQ(world.remove({.names = {"radosload-scratch-none"}}).error().exit, Exit::no_cluster);
  EXPECT_EQ(world.cluster.contents(), before);
}

TEST(ScratchRemoval, FindsWhatAKilledCreateHasLeftWhereverItDied) {
  const std::string name = "radosload-scratch-1";
  World rule;
  rule.cluster.add_rule(name, "default");
  World unmarked;
  unmarked.cluster.add_rule(name, "default");
  unmarked.cluster.add_pool(name, name, 1, 8);
  World marked;
  marked.cluster.add_rule(name, "default");
  marked.cluster.add_pool(name, name, 1, 8);
  Owner gone = this_process();
  gone.started_ticks += 1;  // the pid is another's now
  marked.cluster.mark(name, {{"radosload", {{"scratch", encode_mark({.owner = gone})}}}});
  for (World* const world : {&rule, &unmarked, &marked}) {
    const auto removed = world->remove();
    ASSERT_TRUE(removed);
    ASSERT_THAT(removed->pools, SizeIs(1));
    EXPECT_EQ(removed->pools[0].fate, Fate::removed);
    EXPECT_EQ(world->cluster.contents(), untouched);
  }
}

TEST(ScratchRemoval, OneThatIsBeingMadeIsLeftToItsMaker) {
  const std::string name = "radosload-scratch-1";
  World world;
  world.cluster.add_rule(name, "default");
  world.cluster.add_pool(name, name, 1, 8);
  world.cluster.mark(name, {{"radosload", {{"scratch", encode_mark({.owner = this_process()})}}}});
  const auto held = world.remove();
  ASSERT_TRUE(held);
  EXPECT_EQ(held->pools[0].fate, Fate::held);
  EXPECT_THAT(held->pools[0].detail, HasSubstr("is making it"));
  EXPECT_EQ(world.remove({.force = true})->pools[0].fate, Fate::removed);
  EXPECT_EQ(world.cluster.contents(), untouched);
}

// Between rule, pool and mark there is nothing yet that says whose it is.
TEST(ScratchRemoval, OneThatGetsItsMarkDuringTheSecondLookIsLeftToItsMaker) {
  const std::string name = "radosload-scratch-1";
  World world;
  world.cluster.add_rule(name, "default");
  ScratchHooks hooks = world.hooks();
  hooks.sleep = [&](Time) {
    world.cluster.add_pool(name, name, 1, 8);
    world.cluster.mark(name,
                       {{"radosload", {{"scratch", encode_mark({.owner = this_process()})}}}});
  };
  const auto held = remove_scratch(world.cluster, {}, hooks);
  ASSERT_TRUE(held);
  ASSERT_THAT(held->pools, SizeIs(1));
  EXPECT_EQ(held->pools[0].fate, Fate::held);
}

TEST(ScratchRemoval, WhatIsInUseOrCannotBeSeenIsLeftAloneUnlessForced) {
  World world;
  ASSERT_TRUE(world.make());
  ScratchRemoval removal;
  removal.in_use = [](const std::string&) { return std::string("run x uses it"); };
  EXPECT_EQ(world.remove(removal)->pools[0].detail, "run x uses it");
  removal.in_use = [](const std::string&) { return fail({.reason = "denied"}); };
  EXPECT_THAT(world.remove(removal)->pools[0].detail, HasSubstr("nobody could look"));
  EXPECT_THAT(world.found(), SizeIs(1));
  removal.force = true;
  EXPECT_EQ(world.remove(removal)->pools[0].fate, Fate::removed);
  EXPECT_EQ(world.cluster.contents(), untouched);
}

TEST(ScratchRemoval, ADryRunChangesNothing) {
  World world;
  ASSERT_TRUE(world.make());
  const auto told = world.cluster.told.size();
  const auto would = world.remove({.dry_run = true});
  EXPECT_EQ(would->pools[0].fate, Fate::would);
  EXPECT_EQ(world.cluster.told.size(), told);
}

TEST(ScratchRemoval, MonsThatAllowNoDeletionAreSaidWithTheCommandForIt) {
  World world;
  ASSERT_TRUE(world.make());
  world.cluster.settings["mon_allow_pool_delete"] = "false";
  const auto removed = world.remove();
  EXPECT_EQ(removed->pools[0].fate, Fate::failed);
  EXPECT_THAT(removed->pools[0].detail,
              HasSubstr("ceph config set mon mon_allow_pool_delete true"));
}

}  // namespace
}  // namespace radosload::footprint
