// Removing scratch pools on a scripted cluster: what is ours and what is not, in every state, and
// others who act meanwhile.
#include <memory>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "scratch_world.h"
#include "site_support.h"

namespace radosload::footprint {
namespace {

using ::testing::HasSubstr;
using testing::json;
using testing::ScratchCluster;
using ::testing::SizeIs;
using testing::untouched;
using testing::World;

TEST(ScratchRemoval, LeavesNothing) {
  World world;
  ASSERT_TRUE(world.make());
  const auto removed = world.remove();
  ASSERT_TRUE(removed);
  EXPECT_EQ(removed->pools[0].fate, Fate::removed);
  EXPECT_EQ(world.cluster.contents(), untouched);
}

TEST(ScratchRemoval, PoolWithoutTheMark_IsNeverTouched) {
  World world;
  world.cluster.add_pool("radosload-scratch-theirs", "replicated_rule", 3, 8);
  world.cluster.add_rule("radosload-scratch-rbd", "default");
  world.cluster.add_pool("radosload-scratch-rbd", "radosload-scratch-rbd", 3, 8);
  world.cluster.mark("radosload-scratch-rbd", {{"rbd", json::object()}});
  const ScratchMark ready{.ready = true, .owner = this_process(), .since = "t"};
  const ScratchMark making{.owner = this_process(), .since = "t"};
  // A mark alone is nothing: without the name, with size 3, beside another application.
  world.cluster.add_pool("renamed", "replicated_rule", 1, 8);
  world.cluster.mark("renamed", ready);
  world.cluster.add_pool("radosload-scratch-grown", "replicated_rule", 3, 8);
  world.cluster.mark("radosload-scratch-grown", ready);
  world.cluster.add_pool("radosload-scratch-shared", "replicated_rule", 1, 8);
  world.cluster.mark("radosload-scratch-shared",
                     {{"radosload", {{"scratch", encode_mark(ready)}}}, {"rbd", json::object()}});
  world.cluster.add_pool("radosload-scratch-odd", "replicated_rule", 1, 8);
  world.cluster.mark("radosload-scratch-odd", {{"radosload", {{"scratch", "mine"}}}});
  // Nor is one that is being made under another name than its maker's, or unmarked with its own.
  world.cluster.add_pool("radosload-scratch-halfway", "replicated_rule", 1, 8);
  world.cluster.mark("radosload-scratch-halfway", making);
  Owner other = this_process();
  other.pid += 1;
  const std::string others = making_name("radosload-scratch-a", {.owner = other});
  world.cluster.add_pool(others, "replicated_rule", 1, 8);
  world.cluster.mark(others, making);
  world.cluster.add_rule("radosload-scratch-plain", "default");
  world.cluster.add_pool("radosload-scratch-plain", "radosload-scratch-plain", 1, 8);
  const std::string before = world.cluster.contents();
  EXPECT_TRUE(world.remove({.force = true}));
  const auto named = world.remove({.names = {"radosload-scratch-theirs"}, .force = true});
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error().exit, Exit::refused);
  EXPECT_THAT(named.error().message(), HasSubstr("is not a scratch pool"));
  EXPECT_EQ(world.remove({.names = {"radosload-scratch-none"}}).error().exit, Exit::no_cluster);
  EXPECT_EQ(world.cluster.contents(), before);
}

// What a create has left, or is at, in each of the states it goes through.
std::vector<std::unique_ptr<World>> in_every_state(const Owner& maker) {
  const ScratchMark making{.owner = maker, .since = "t"};
  const std::string name = making_name("radosload-scratch-1", making);
  std::vector<std::unique_ptr<World>> worlds;
  for (int state = 0; state < 4; ++state) {
    ScratchCluster& cluster = worlds.emplace_back(std::make_unique<World>())->cluster;
    cluster.add_rule(name, "default");
    if (state > 0) cluster.add_pool(name, name, 1, 8);
    if (state > 1) cluster.mark(name, making);
    // Ready, and not yet renamed.
    if (state > 2) cluster.mark(name, {.ready = true, .owner = maker, .since = "t"});
  }
  return worlds;
}

Owner gone_process() {
  Owner gone = this_process();
  gone.started_ticks += 1;  // the pid is another's now
  return gone;
}

TEST(ScratchRemoval, CreateKilledAtAnyStep_LeftoversAreFound) {
  for (const auto& world : in_every_state(gone_process())) {
    const auto removed = world->remove({.names = {"radosload-scratch-1"}});
    ASSERT_TRUE(removed) << removed.error().message();
    ASSERT_THAT(removed->pools, SizeIs(1));
    EXPECT_EQ(removed->pools[0].fate, Fate::removed) << removed->pools[0].detail;
    EXPECT_EQ(world->cluster.contents(), untouched);
  }
}

TEST(ScratchRemoval, PoolBeingCreated_IsKept) {
  for (const auto& world : in_every_state(this_process())) {
    const std::string before = world->cluster.contents();
    const auto held = world->remove();
    ASSERT_TRUE(held);
    ASSERT_THAT(held->pools, SizeIs(1));
    EXPECT_EQ(held->pools[0].fate, Fate::held);
    EXPECT_THAT(held->pools[0].detail, HasSubstr("may still be creating it"));
    EXPECT_EQ(world->cluster.contents(), before);
    EXPECT_EQ(world->remove({.force = true})->pools[0].fate, Fate::removed);
    EXPECT_EQ(world->cluster.contents(), untouched);
  }
}

TEST(ScratchRemoval, PoolInUse_IsKeptInEveryState) {
  int pools = 0;
  for (const auto& world : in_every_state(gone_process())) {
    const std::string before = world->cluster.contents();
    ScratchRemoval removal;
    removal.in_use = [](const std::string&) { return std::string("run x uses it"); };
    const auto held = world->remove(removal);
    ASSERT_THAT(held->pools, SizeIs(1));
    if (held->pools[0].state == ScratchFound::State::rule_only) continue;  // of no use to anybody
    ++pools;
    EXPECT_EQ(held->pools[0].detail, "run x uses it");
    EXPECT_EQ(world->cluster.contents(), before);
  }
  EXPECT_EQ(pools, 3);
}

// A rule of that name says nothing of who makes it, and may be somebody's who is at it.
TEST(ScratchRemoval, PoolChangedBetweenTwoLooks_IsKept) {
  const std::string name = "radosload-scratch-1";
  World world;
  world.cluster.add_rule(name, "default");
  ScratchHooks hooks = world.hooks();
  hooks.sleep = [&](Time) {
    world.cluster.add_pool(name, name, 1, 8);
    world.cluster.mark(name, {.ready = true, .owner = this_process()});
  };
  const auto held = remove_scratch(world.cluster, {}, hooks);
  ASSERT_TRUE(held);
  ASSERT_THAT(held->pools, SizeIs(1));
  EXPECT_EQ(held->pools[0].fate, Fate::held);
  EXPECT_TRUE(world.cluster.has_pool(name));
}

struct RemovalKilled {};

TEST(ScratchRemoval, KilledAtAnyCommand_NextOneRemovesTheRest) {
  bool killed = true;
  for (int command = 0; killed; ++command) {
    World world;
    ASSERT_TRUE(world.make());
    killed = false;
    int left = command;
    world.cluster.before = [&](const std::string&) {
      if (left-- != 0) return;
      killed = true;
      throw RemovalKilled{};
    };
    try {
      EXPECT_TRUE(world.remove());
    } catch (const RemovalKilled&) {
    }
    world.cluster.before = [](const std::string&) {};
    EXPECT_TRUE(world.remove());
    EXPECT_EQ(world.cluster.contents(), untouched) << command;
  }
}

// Somebody may call a rule so that has nothing to do with radosload.
TEST(ScratchRemoval, UnusedRuleWithThePrefix_IsRemovedOnlyIfNamed) {
  const std::string name = "radosload-scratch-fast";
  World world;
  world.cluster.add_rule(name, "default");
  const std::string before = world.cluster.contents();
  for (const bool force : {false, true}) {
    const auto held = world.remove({.force = force});
    ASSERT_THAT(held->pools, SizeIs(1));
    EXPECT_EQ(held->pools[0].fate, Fate::held);
    EXPECT_THAT(held->pools[0].detail, HasSubstr("scratch destroy " + name));
    EXPECT_EQ(world.cluster.contents(), before);
  }
  EXPECT_EQ(world.remove({.names = {name}})->pools[0].fate, Fate::removed);
  EXPECT_EQ(world.cluster.contents(), untouched);
}

// An administrator has given our pool a rule of another name.
TEST(ScratchRemoval, RuleNamedForAnotherPool_IsKept) {
  World world;
  world.cluster.add_rule("radosload-scratch-fast", "default");
  world.cluster.add_pool("radosload-scratch-1", "radosload-scratch-fast", 1, 8);
  world.cluster.mark("radosload-scratch-1", {.ready = true, .owner = this_process(), .since = "t"});
  EXPECT_EQ(world.remove()->pools[0].fate, Fate::removed);
  EXPECT_EQ(world.cluster.contents(), "hdd replicated_rule radosload-scratch-fast");
}

// A removal was killed just after it had put another client's aside.
TEST(ScratchRemoval, ForeignPoolRenamedByKilledRemoval_GetsItsNameBack) {
  World world;
  world.cluster.add_rule(leaving_name("radosload-scratch-1", 77), "default");
  world.cluster.add_pool(leaving_name("radosload-scratch-1", 78), "replicated_rule", 3, 8);
  EXPECT_TRUE(world.remove({.dry_run = true}));
  EXPECT_FALSE(world.cluster.has_pool("radosload-scratch-1"));
  EXPECT_TRUE(world.remove());
  EXPECT_TRUE(world.cluster.has_pool("radosload-scratch-1"));
  EXPECT_TRUE(world.cluster.has_rule("radosload-scratch-1"));
}

// Commands know pools by name. Whoever takes the name at any moment keeps what is theirs.
TEST(ScratchRaces, AnotherPoolThatTakesTheNameMeanwhileIsNotRemoved) {
  int refused = 0;
  for (int moment = 0; moment < 30; ++moment) {
    World world;
    ASSERT_TRUE(world.make());
    const std::string name = world.found()[0].name;
    int commands = 0;
    bool taken = false;
    world.cluster.before = [&](const std::string&) {
      if (commands++ != moment || !world.cluster.has_pool(name)) return;
      world.cluster.drop_pool(name);
      world.cluster.add_pool(name, "replicated_rule", 3, 32);
      taken = true;
    };
    const auto removed = world.remove({.force = true});
    world.cluster.before = [](const std::string&) {};
    EXPECT_EQ(world.cluster.has_pool(name), taken) << moment;
    refused += taken ? 1 : 0;
  }
  EXPECT_GT(refused, 2);
}

TEST(ScratchRaces, RuleUsedByForeignPool_KeepsItsName) {
  World world;
  ASSERT_TRUE(world.make());
  world.cluster.add_pool("theirs", "radosload-scratch-0-3", 3, 8);
  EXPECT_EQ(world.remove()->pools[0].fate, Fate::removed);
  EXPECT_EQ(world.cluster.contents(), "hdd theirs replicated_rule radosload-scratch-0-3");
}

TEST(ScratchRaces, PoolUsedAtTheLastMoment_IsKeptWithItsName) {
  World world;
  ASSERT_TRUE(world.make());
  const std::string before = world.cluster.contents();
  int asked = 0;
  ScratchRemoval removal;
  removal.in_use = [&](const std::string&) {
    return std::string(++asked == 2 ? "run x uses it" : "");
  };
  EXPECT_EQ(world.remove(removal)->pools[0].fate, Fate::held);
  EXPECT_EQ(world.cluster.contents(), before);
  EXPECT_EQ(world.remove(removal)->pools[0].fate, Fate::removed);
}

TEST(ScratchRemoval, InUseOrUnknown_IsKeptUnlessForced) {
  World world;
  ASSERT_TRUE(world.make());
  ScratchRemoval removal;
  removal.in_use = [](const std::string&) { return std::string("run x uses it"); };
  EXPECT_EQ(world.remove(removal)->pools[0].detail, "run x uses it");
  removal.in_use = [](const std::string&) { return fail({.reason = "denied"}); };
  EXPECT_THAT(world.remove(removal)->pools[0].detail, HasSubstr("could not be listed"));
  EXPECT_THAT(world.found(), SizeIs(1));
  removal.force = true;
  EXPECT_EQ(world.remove(removal)->pools[0].fate, Fate::removed);
  EXPECT_EQ(world.cluster.contents(), untouched);
}

TEST(ScratchInUse, LeftoversOfDeadRuns_DoNotKeepThePool) {
  testing::MemorySite site;
  Manifest manifest = site.manifest("run-1", 3);
  site.store("run-1", manifest);
  site.fill("run-1", 3);
  EXPECT_EQ(scratch_in_use(site, site).value(), "");
  site.alive.insert("run-1");
  EXPECT_THAT(scratch_in_use(site, site).value(), HasSubstr("run run-1 uses it"));
  site.alive.clear();
  manifest.keep = true;
  manifest.state = State::ready;
  site.store("run-1", manifest);
  EXPECT_THAT(scratch_in_use(site, site).value(), HasSubstr("is kept in it"));
  site.objects.clear();
  site.index.clear();
  site.objects["notes"] = {"theirs"};
  EXPECT_THAT(scratch_in_use(site, site).value(), HasSubstr("such as 'notes'"));
}

TEST(ScratchRemoval, ADryRunChangesNothing) {
  World world;
  ASSERT_TRUE(world.make());
  const auto told = world.cluster.told.size();
  const auto would = world.remove({.dry_run = true});
  EXPECT_EQ(would->pools[0].fate, Fate::would);
  EXPECT_EQ(world.cluster.told.size(), told);
}

TEST(ScratchRemoval, DeletionForbiddenByMons_ErrorHasTheCommandToAllowIt) {
  World world;
  ASSERT_TRUE(world.make());
  world.cluster.settings["mon_allow_pool_delete"] = "false";
  const auto removed = world.remove();
  EXPECT_EQ(removed->pools[0].fate, Fate::failed);
  EXPECT_THAT(removed->pools[0].detail,
              HasSubstr("ceph config set mon mon_allow_pool_delete true"));
  EXPECT_TRUE(world.cluster.has_pool("radosload-scratch-0-3")) << "with its name";
}

}  // namespace
}  // namespace radosload::footprint
