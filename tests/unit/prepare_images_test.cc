// Images of a run: opened and checked, made, refused, or stuck while they are made.
#include <cerrno>
#include <condition_variable>
#include <functional>
#include <mutex>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/bounded_call.h"
#include "prepare/images.h"
#include "prepare/prepared.h"
#include "support/wait_for.h"
#include "unit/prepare_support.h"

namespace radosload::prepare {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunPlan image_plan(const std::string& pattern, std::vector<std::string> names) {
  RunPlan plan = plan_for("hdd", pattern);
  plan.target = TargetKind::rbd;
  plan.images.names = std::move(names);
  return plan;
}

RunPlan making_plan(std::uint32_t clients = 1) {
  RunPlan plan = image_plan("randrw4k", {});
  plan.images.create = mib(64);
  plan.clients = clients;
  return plan;
}

struct ImageRefusal {
  const char* name;
  std::function<void(cluster::ImageInfo&)> change;
  const char* reason;
};

std::string names_of(const ::testing::TestParamInfo<ImageRefusal>& info) {
  return info.param.name;
}

class ImagesRefused : public ::testing::TestWithParam<ImageRefusal> {};

TEST_P(ImagesRefused, MustNotBeUsed_IsRefusedWithTheReason) {
  const RunPlan plan = image_plan("randwrite4k", {"vm1", "vm2"});
  PrepareFixture fixture(plan);
  fixture.images->add("vm1").made_by = "some-run";
  fixture.images->add("vm2").made_by = "some-run";
  EXPECT_TRUE(Images::inspect(plan, fixture.session, this_run));
  GetParam().change(fixture.images->there["vm2"]);
  const auto looked = Images::inspect(plan, fixture.session, this_run);
  ASSERT_FALSE(looked);
  EXPECT_EQ(looked.error().exit, Exit::refused);
  EXPECT_EQ(looked.error().subject, "vm2");
  EXPECT_THAT(looked.error().message(), HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, ImagesRefused,
    ::testing::Values(
        ImageRefusal{"OpenElsewhere", [](auto& image) { image.users = {"client.4 at 10.0.0.1:0"}; },
                     "other clients have it open: client.4 at 10.0.0.1:0"},
        ImageRefusal{"NotOurs", [](auto& image) { image.made_by.clear(); },
                     "radosload did not create it"},
        ImageRefusal{"MirroredFromElsewhere",
                     [](auto& image) { image.mirroring = cluster::Mirroring::secondary; },
                     "mirrored from another cluster"},
        ImageRefusal{"EncryptedAndLocked", [](auto& image) { image.luks = 2; }, "encrypted"},
        ImageRefusal{"OtherSizeThanTheFirst", [](auto& image) { image.size = gib(2); },
                     "it differs from vm1"},
        ImageRefusal{"OtherObjectSize", [](auto& image) { image.object_size = mib(8); },
                     "it differs from vm1"}),
    names_of);

TEST(ImagesOpened, EachClientOpensItsOwn_AllOfThemOpenASharedOne) {
  RunPlan plan = image_plan("randread4k", {"vm1", "vm2"});
  plan.clients = 2;
  PrepareFixture fixture(plan);
  for (const char* name : {"vm1", "vm2"}) fixture.images->add(name).made_by = "some-run";
  const auto own = Images::inspect(plan, fixture.session, this_run);
  ASSERT_TRUE(own) << own.error().message();
  EXPECT_THAT(fixture.images->opened, ElementsAre("0: vm1", "1: vm2"));
  EXPECT_EQ(own->infos().size(), 2U);
  EXPECT_EQ(own->made_by(), "some-run");

  fixture.images->opened.clear();
  plan.images.names = {"vm1"};
  const auto shared = Images::inspect(plan, fixture.session, this_run);
  ASSERT_TRUE(shared) << shared.error().message();
  EXPECT_THAT(fixture.images->opened, ElementsAre("0: vm1", "1: vm1"));
  EXPECT_EQ(shared->infos().size(), 1U);
}

TEST(ImagesOpened, SharedImageWithAnExclusiveLock_IsRefusedToTwoWriters) {
  RunPlan plan = image_plan("randwrite4k", {"vm1"});
  plan.clients = 2;
  PrepareFixture fixture(plan);
  auto& image = fixture.images->add("vm1");
  image.made_by = "some-run";
  image.features = {"exclusive-lock"};
  const auto looked = Images::inspect(plan, fixture.session, this_run);
  ASSERT_FALSE(looked);
  EXPECT_THAT(looked.error().message(), HasSubstr("2 clients"));
}

// The second of two processes.
constexpr workload::Part second_member{.index = 1, .of = 2};

TEST(ImagesOfASession, EachMemberOpensItsOwnAndKnowsTheNamesInAll) {
  RunPlan plan = image_plan("randread4k", {"vm1", "vm2", "vm3", "vm4"});
  PrepareFixture fixture(plan);
  for (const std::string& name : plan.images.names) fixture.images->add(name).made_by = "some-run";
  const auto found = Images::inspect(plan, fixture.session, this_run, second_member);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_THAT(fixture.images->opened, ElementsAre("0: vm3", "0: vm4"));
  EXPECT_THAT(fixture.images->looked_at, IsEmpty()) << "one listing has the names of all";
  EXPECT_EQ(found->lanes().front().first_image, 2U);
  ASSERT_EQ(found->infos().size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found->infos()[i].spec.name, plan.images.names[i]);
    EXPECT_EQ(found->infos()[i].block_prefix, "rbd_data.id-of-" + plan.images.names[i]);
  }
  EXPECT_EQ(found->shape().count, 4U);
}

TEST(ImagesOfASession, TheFirstMemberChecksAllOfThem) {
  RunPlan plan = image_plan("randread4k", {"vm1", "vm2", "vm3", "vm4"});
  PrepareFixture fixture(plan);
  for (const std::string& name : plan.images.names) fixture.images->add(name).made_by = "some-run";
  const workload::Part first{.index = 0, .of = 2};
  EXPECT_TRUE(Images::inspect(plan, fixture.session, this_run, first));
  EXPECT_THAT(fixture.images->looked_at, ElementsAre("vm3", "vm4"));
  fixture.images->there["vm4"].size = gib(2);
  const auto found = Images::inspect(plan, fixture.session, this_run, first);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message(), HasSubstr("it differs from vm1"));
}

// Images of the first format name their data otherwise.
TEST(ImagesOfASession, NamesThatDoNotFollowFromTheId_AreLookedUp) {
  RunPlan plan = image_plan("randread4k", {"vm1", "vm2"});
  PrepareFixture fixture(plan);
  for (const std::string& name : plan.images.names) {
    auto& image = fixture.images->add(name);
    image.made_by = "some-run";
    image.block_prefix = "rb.0." + name;
  }
  const auto found = Images::inspect(plan, fixture.session, this_run, second_member);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_THAT(fixture.images->looked_at, ElementsAre("vm1"));
  EXPECT_EQ(found->infos()[0].block_prefix, "rb.0.vm1");
}

TEST(ImagesOfASession, OtherMembersHaveThemOpen_OnlyTheFirstMemberAsksWhoDoes) {
  const RunPlan plan = image_plan("randwrite4k", {"vm1", "vm2"});
  PrepareFixture fixture(plan);
  for (const std::string& name : plan.images.names) fixture.images->add(name).made_by = "some-run";
  fixture.images->there["vm2"].users = {"client.4 at 10.0.0.1:0"};
  EXPECT_TRUE(Images::inspect(plan, fixture.session, this_run, second_member));
  const auto first = Images::inspect(plan, fixture.session, this_run, {.index = 0, .of = 2});
  ASSERT_FALSE(first);
  EXPECT_THAT(first.error().message(), HasSubstr("other clients have it open: client.4"));
}

TEST(ImagesOfASession, NotAsManyForEachClient_IsAUsageError) {
  const RunPlan plan = image_plan("randread4k", {"vm1", "vm2", "vm3"});
  PrepareFixture fixture(plan);
  const auto found = Images::inspect(plan, fixture.session, this_run, second_member);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().exit, Exit::usage);
  EXPECT_THAT(found.error().message(), HasSubstr("3 images cannot be divided among 2 clients"));
}

TEST(ImagesOfASession, OneForAllWithAnExclusiveLock_IsRefusedToWriters) {
  const RunPlan plan = image_plan("randwrite4k", {"vm1"});
  PrepareFixture fixture(plan);
  auto& image = fixture.images->add("vm1");
  image.made_by = "some-run";
  EXPECT_TRUE(Images::inspect(plan, fixture.session, this_run, second_member));
  image.features = {"exclusive-lock"};
  const auto found = Images::inspect(plan, fixture.session, this_run, second_member);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().exit, Exit::refused);
  EXPECT_THAT(found.error().message(),
              ::testing::AllOf(HasSubstr("2 clients would pass its exclusive lock"),
                               HasSubstr("--create SIZE without --image makes them")));
}

// The first member makes those of all; the others find their names in its manifest.
TEST(ImagesOfASession, MadeByTheFirst_OthersUseTheirs) {
  const RunPlan plan = making_plan();
  PrepareFixture fixture(plan);
  auto first = inspect(plan, fixture.session, this_run, nullptr, {.part = {.index = 0, .of = 2}});
  ASSERT_TRUE(first) << first.error().message();
  auto making =
      commit(*std::move(first), fixture.session, nullptr, fixture.interrupts, fixture.notes);
  ASSERT_TRUE(making) << making.error().message();
  const auto name_of = [](int image) {
    return "radosload." + this_run + "." + std::to_string(image);
  };
  EXPECT_THAT(fixture.noted().images, ElementsAre(name_of(0), name_of(1)));
  EXPECT_THAT(fixture.images->opened, ElementsAre("0: " + name_of(0)));

  fixture.images->opened.clear();
  const auto other = inspect(plan, fixture.session, this_run, nullptr,
                             {.part = second_member, .objects = fixture.noted()});
  ASSERT_TRUE(other) << other.error().message();
  EXPECT_FALSE(other->makes_images());
  EXPECT_THAT(fixture.images->opened, ElementsAre("0: " + name_of(1)));
  EXPECT_EQ(other->load.layout.objects, making->load.layout.objects);
  EXPECT_EQ(other->load.layout.groups, 2U);
}

TEST(ImagesMade, OneForSeveralClients_IsRefused) {
  RunPlan plan = making_plan(2);
  plan.images.names = {"vm1"};
  PrepareFixture fixture(plan);
  const auto found = Images::inspect(plan, fixture.session, this_run);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().exit, Exit::refused);
  EXPECT_THAT(found.error().message(), HasSubstr("2 clients would pass its exclusive lock"));
}

TEST(ImagesOpened, StripedFinerThanABlock_IsRefused) {
  RunPlan plan = image_plan("randread4k,bs=8k", {"vm1"});
  PrepareFixture fixture(plan);
  auto& image = fixture.images->add("vm1");
  image.made_by = "some-run";
  image.stripe_unit = kib(4);
  image.stripe_count = 4;
  const auto looked = Images::inspect(plan, fixture.session, this_run);
  ASSERT_FALSE(looked);
  EXPECT_THAT(looked.error().message(), HasSubstr("its stripe unit is 4k"));
}

TEST(ImagesOpened, DestroyData_AllowsForeignImages) {
  RunPlan plan = image_plan("randwrite4k", {"vm1"});
  PrepareFixture fixture(plan);
  fixture.images->add("vm1");
  EXPECT_FALSE(Images::inspect(plan, fixture.session, this_run));
  plan.images.destroy_data = true;
  const auto looked = Images::inspect(plan, fixture.session, this_run);
  ASSERT_TRUE(looked);
  EXPECT_EQ(looked->made_by(), "");
}

TEST(ImagesOpened, SnapshotOfAForeignImage_MayBeRead) {
  const RunPlan plan = image_plan("randread4k", {"vm1@monday"});
  PrepareFixture fixture(plan);
  fixture.images->add("vm1").users = {"client.4 at 10.0.0.1:0"};
  const auto looked = Images::inspect(plan, fixture.session, this_run);
  ASSERT_TRUE(looked) << looked.error().message();
  EXPECT_THAT(looked->names(), ElementsAre("vm1@monday"));
}

TEST(ImagesOpened, MissingImage_IsTheErrorOfOpening) {
  const RunPlan plan = image_plan("randread4k", {"vm1"});
  PrepareFixture fixture(plan);
  const auto looked = Images::inspect(plan, fixture.session, this_run);
  ASSERT_FALSE(looked);
  EXPECT_EQ(looked.error().errnum, ENOENT);
}

TEST(ImagesOpened, ForeignImageWithTheNameOfAKeptOne_IsNotReused) {
  RunPlan plan = making_plan();
  PrepareFixture fixture(plan);
  auto images = Images::inspect(plan, fixture.session, this_run);
  ASSERT_TRUE(images);
  fixture.images->add("vm1");
  EXPECT_FALSE(images->take_over(plan, fixture.session, {"vm1"}));
}

TEST(ImagesOpened, CacheAndMirror_AreCaveats) {
  const RunPlan plan = image_plan("randwrite4k", {"vm1"});
  PrepareFixture fixture(plan);
  auto& image = fixture.images->add("vm1");
  image.made_by = "some-run";
  image.mirroring = cluster::Mirroring::primary;
  image.settings = {{"rbd_cache", "true"}};
  image.overridden = {"rbd_cache"};
  const auto looked = Images::inspect(plan, fixture.session, this_run);
  ASSERT_TRUE(looked) << looked.error().message();
  EXPECT_THAT(looked->caveats(plan),
              ElementsAre(HasSubstr("rbd_cache"), HasSubstr("is mirrored"),
                          HasSubstr("overrides these settings of the client: rbd_cache")));
}

TEST(ImagesMade, OneForEachClient_AreNamedAfterTheRunAndOpened) {
  const RunPlan plan = making_plan(2);
  PrepareFixture fixture(plan);
  auto images = Images::inspect(plan, fixture.session, this_run);
  ASSERT_TRUE(images);
  EXPECT_TRUE(images->to_be_made());
  EXPECT_THAT(fixture.images->there, IsEmpty()) << "looking makes nothing";
  const Status made = images->make(plan, fixture.session, this_run, mib(1));
  ASSERT_TRUE(made) << made.error().message();
  const std::string first = "radosload." + this_run + ".0";
  const std::string second = "radosload." + this_run + ".1";
  EXPECT_THAT(images->names(), ElementsAre(first, second));
  EXPECT_THAT(fixture.images->opened, ElementsAre("0: " + first, "1: " + second));
  ASSERT_EQ(images->infos().size(), 2U);
  EXPECT_EQ(images->infos()[1].size, mib(64));
  EXPECT_EQ(images->infos()[1].object_size, mib(1));
  EXPECT_EQ(images->made_by(), this_run);
}

TEST(ImagesMade, ObjectSizeThatImagesCannotHave_IsAUsageError) {
  RunPlan plan = making_plan();
  plan.pattern.object_size = Bytes{3'000'000};
  PrepareFixture fixture(plan);
  const auto looked = Images::inspect(plan, fixture.session, this_run);
  ASSERT_FALSE(looked);
  EXPECT_EQ(looked.error().exit, Exit::usage);
}

// From the draft of a run that makes its image to the image, which cannot be made.
Result<Prepared> commit_making(PrepareFixture& fixture, const RunPlan& plan) {
  RADOSLOAD_ASSIGN(auto draft, inspect(plan, fixture.session, this_run));
  EXPECT_TRUE(fixture.nothing_noted()) << "a draft changes nothing";
  return commit(std::move(draft), fixture.session, nullptr, fixture.interrupts, fixture.notes);
}

TEST(ImagesMade, NameIsTaken_FailsAndLeavesNothingNoted) {
  const RunPlan plan = making_plan();
  PrepareFixture fixture(plan);
  fixture.images->commands.add("radosload." + this_run + ".0");
  const auto prepared = commit_making(fixture, plan);
  ASSERT_FALSE(prepared);
  EXPECT_TRUE(fixture.nothing_noted());
  EXPECT_EQ(fixture.images->commands.named.size(), 1U) << "that of somebody else stays";
}

TEST(ImagesMade, PoolIsFull_FailsAfterItWasNotedAndLeavesNothing) {
  const RunPlan plan = making_plan();
  PrepareFixture fixture(plan);
  fixture.images->before_making = [&]() -> Status {
    EXPECT_EQ(fixture.noted().images, std::vector<std::string>{"radosload." + this_run + ".0"});
    return {};
  };
  fixture.images->commands.full = true;
  const auto prepared = commit_making(fixture, plan);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().errnum, ENOSPC);
  EXPECT_TRUE(fixture.nothing_noted());
  EXPECT_THAT(fixture.images->commands.named, IsEmpty());
}

// A call to librbd that comes back when the test lets it.
struct StuckCall {
  std::mutex mutex;
  std::condition_variable changed;
  bool released = false;

  void wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return released; });
  }
  void release() {
    const std::lock_guard lock(mutex);
    released = true;
    changed.notify_all();
  }
};

TEST(ImagesMade, MakingIsStuck_FailsInTimeAndLeavesTheManifestForCleanup) {
  const RunPlan plan = making_plan();
  PrepareFixture fixture(plan);
  const auto call = std::make_shared<StuckCall>();
  fixture.images->before_making = [call]() -> Status {
    const bool ended =
        cluster::call_within(std::chrono::milliseconds(20), [call] { call->wait(); });
    return ended ? Status{} : fail(cluster::image_error("make the image", "i", -ETIMEDOUT));
  };
  const auto prepared = commit_making(fixture, plan);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().errnum, ETIMEDOUT);
  EXPECT_EQ(fixture.noted().images, std::vector<std::string>{"radosload." + this_run + ".0"})
      << "the image may come yet";
  ASSERT_EQ(fixture.notes.lines.size(), 1U);
  EXPECT_THAT(fixture.notes.lines[0], HasSubstr("radosload cleanup --pool hdd"));
  call->release();
  EXPECT_TRUE(test::wait_for("the abandoned creation to end",
                             [] { return cluster::abandoned_work() == 0; }));
}

}  // namespace
}  // namespace radosload::prepare
