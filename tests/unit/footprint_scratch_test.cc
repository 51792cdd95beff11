// Making scratch pools on a scripted cluster: refusals before anything is changed, failures at each
// step, and others who act meanwhile.
#include <memory>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "scratch_world.h"

namespace radosload::footprint {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using testing::untouched;
using testing::World;

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
  const auto again = decode_mark(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(encode_mark(*again), text);
  EXPECT_EQ(again->owner.pid, mark.owner.pid);
  EXPECT_EQ(again->owner.pid_space, mark.owner.pid_space);
  EXPECT_FALSE(again->ready);
  EXPECT_FALSE(decode_mark("whatever"));
}

TEST(ScratchNames, DuringCreation_NameTheOwner) {
  const ScratchMark mark{.owner = this_process(), .since = "20261121T040012Z"};
  for (const std::string& name :
       {std::string("radosload-scratch-a"), std::string("radosload-scratch-a.making.b.1.2.c.3")}) {
    const std::string text = making_name(name, mark);
    const auto read = parse_making_name(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->name, name);
    EXPECT_EQ(read->owner.pid, mark.owner.pid);
    EXPECT_EQ(read->owner.boot, mark.owner.boot);
    EXPECT_EQ(read->owner.pid_space, mark.owner.pid_space);
    EXPECT_EQ(read->owner.started_ticks, mark.owner.started_ticks);
    EXPECT_EQ(parse_making_name(leaving_name(text, 7))->name, name);
  }
  for (const char* const other :
       {"", "radosload-scratch-a", "radosload-scratch-a.making.", "x.making.s.1.2.b.3",
        "radosload-scratch-a.making.s.1.x.b.3", "radosload-scratch-a.making.s.1.2.b.3.4"}) {
    EXPECT_FALSE(parse_making_name(other)) << other;
  }
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
TEST(Scratch, CrushWeightsOfItsOsds_AreZeroUnlessThereAreNoOthers) {
  World some;
  ASSERT_TRUE(some.make({1}));
  EXPECT_THAT(some.cluster.weightless(), ElementsAre("osd.1"));
  World all;
  ASSERT_TRUE(all.make({0, 1, 2, 3}));
  EXPECT_THAT(all.cluster.weightless(), IsEmpty());
}

TEST(Scratch, NameIsReservedByItsRuleBeforeThePoolExists) {
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
  expect_refused(deletion, "could not remove it again",
                 "ceph config set mon mon_allow_pool_delete true");
  World old_clients;
  old_clients.cluster.oldest_client = "jewel";
  expect_refused(old_clients, "jewel", "ceph osd set-require-min-compat-client luminous");
  World full;
  full.cluster.settings["mon_max_pg_per_osd"] = "50";
  expect_refused(full, "osd.0 has 50 PGs", "mon_max_pg_per_osd");
}

TEST(ScratchRefusals, AreReportedTogether) {
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

TEST(ScratchRefusals, PoolOfThatName_IsKept) {
  World world;
  world.cluster.add_pool("radosload-scratch-0-3", "replicated_rule", 3, 8);
  expect_refused(world, "a pool of that name exists", "scratch create NAME");
}

TEST(ScratchRefusals, ForeignRuleOfThatName_IsNoRefusalAndIsKept) {
  World world;
  world.cluster.add_rule("radosload-scratch-0-3", "elsewhere");
  ASSERT_TRUE(world.make());
  EXPECT_THAT(world.cluster.told, Not(Contains("osd crush rule rm")));
  const std::string rule = world.found()[0].rule;
  EXPECT_NE(rule, "radosload-scratch-0-3");
  EXPECT_EQ(world.remove({.names = {world.found()[0].name}})->pools[0].fate, Fate::removed);
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
                                           "osd crush weight-set reweight", "osd pg-upmap",
                                           "osd pool rename"));

TEST_P(ScratchFailures, UndoTheCreation) {
  World world;
  world.cluster.errors[GetParam()] = EINVAL;
  const auto made = world.make();
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("has removed what it had created"));
  EXPECT_EQ(world.cluster.contents(), untouched);
}

TEST(Scratch, PgsNotActiveInTime_CreationIsUndone) {
  World world;
  world.cluster.pgs_stay = true;
  const auto made = world.make();
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), AllOf(HasSubstr("0 of 16 PGs are on their OSDs after 2 m"),
                                            HasSubstr("is on 9 instead of osd.0")));
  EXPECT_EQ(world.cluster.contents(), untouched);
}

TEST(Scratch, InterruptedAtAnyStep_CreationIsUndone) {
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

TEST(Scratch, UndoFails_IsReportedAndFoundLater) {
  World world;
  world.cluster.errors["osd pg-upmap"] = ETIMEDOUT;
  world.cluster.errors["osd pool delete"] = ETIMEDOUT;
  const auto made = world.make();
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("radosload cleanup --scratch"));
  ASSERT_THAT(world.found(), SizeIs(1));
  EXPECT_EQ(world.found()[0].state, ScratchFound::State::making);
}

// A stranger's pool of the very name, made at any moment of ours.
TEST(ScratchRaces, ForeignPoolOfThatName_GetsNoMarkAndIsKept) {
  for (int moment = 0; moment < 40; ++moment) {
    World world;
    int commands = 0;
    const auto plan = world.plan();
    ASSERT_TRUE(plan);
    world.cluster.before = [&](const std::string&) {
      if (commands++ == moment) {
        world.cluster.add_pool("radosload-scratch-0-3", "replicated_rule", 3, 16);
      }
    };
    const auto made = make_scratch(
        world.cluster, *plan, {.mark = {.owner = this_process(), .since = "t"}}, world.hooks());
    world.cluster.before = [](const std::string&) {};
    if (!world.cluster.has_pool("radosload-scratch-0-3")) FAIL() << moment;
    if (made) {
      EXPECT_THAT(world.found(), SizeIs(1)) << "it came too late: " << moment;
      continue;
    }
    EXPECT_THAT(made.error().message(), HasSubstr("has removed what it had created")) << moment;
    EXPECT_EQ(world.cluster.contents(), "hdd radosload-scratch-0-3 replicated_rule") << moment;
    EXPECT_EQ(world.cluster.applications_of("radosload-scratch-0-3"), "{}") << moment;
  }
}

TEST(ScratchRaces, TwoCreatorsOfOneName_OneSucceedsAndTheOtherLeavesNothing) {
  for (int moment = 0; moment < 30; ++moment) {
    World world;
    int commands = 0;
    const auto plan = world.plan();
    ASSERT_TRUE(plan);
    Owner other = this_process();
    other.pid += 1;
    bool other_made = false;
    world.cluster.before = [&](const std::string&) {
      if (commands++ != moment) return;
      other_made = make_scratch(world.cluster, *plan, {.mark = {.owner = other, .since = "t"}},
                                world.hooks())
                       .has_value();
    };
    const auto made = make_scratch(
        world.cluster, *plan, {.mark = {.owner = this_process(), .since = "t"}}, world.hooks());
    world.cluster.before = [](const std::string&) {};
    EXPECT_NE(made.has_value(), other_made) << moment;
    const auto found = world.found();
    ASSERT_THAT(found, SizeIs(1)) << moment;
    EXPECT_EQ(found[0].name, "radosload-scratch-0-3");
    EXPECT_EQ(found[0].mark.owner.pid, made ? this_process().pid : other.pid) << moment;
    world.remove({.force = true});
    EXPECT_EQ(world.cluster.contents(), untouched) << moment;
  }
}

}  // namespace
}  // namespace radosload::footprint
