// The data set of a run: noted before it is made, used again when it fits, removed afterwards.
#include <csignal>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "prepare/dataset.h"
#include "unit/prepare_support.h"

namespace radosload::prepare {
namespace {

using footprint::State;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* earlier_run = "20261123-080000-000001";

RunPlan kept_plan(const std::string& pattern = "randread4k,size=64M,object-size=1M") {
  RunPlan plan = plan_for("hdd", pattern);
  plan.keep = true;
  return plan;
}

Dataset made(PrepareFixture& fixture, const RunPlan& plan, const std::string& run = this_run) {
  return Dataset::make(plan, fixture.session, layout_of(plan), run).value();
}

// What a run with --keep has left.
void leave_filled(PrepareFixture& fixture, const RunPlan& plan = kept_plan()) {
  Dataset dataset = made(fixture, plan, earlier_run);
  fixture.site->fill(earlier_run, layout_of(plan).objects);
  ASSERT_TRUE(dataset.mark_ready());
  dataset.clean_up(plan.keep, fixture.interrupts, fixture.notes);
}

RunPlan reusing_plan(const std::string& pattern = "randread4k,size=64M,object-size=1M") {
  RunPlan plan = plan_for("hdd", pattern);
  plan.reuse = "last";
  return plan;
}

// As a run does with --reuse: finds it, then takes it.
Result<Dataset> reused(PrepareFixture& fixture, const RunPlan& plan) {
  RADOSLOAD_ASSIGN(auto chosen, find_reusable(plan, fixture.session, layout_of(plan)));
  return Dataset::reuse(plan, fixture.session, layout_of(plan), std::move(chosen));
}

TEST(DatasetMade, IsNotedAsFillingAndHeldWhileItLives) {
  PrepareFixture fixture;
  {
    const Dataset dataset = made(fixture, kept_plan());
    const footprint::Manifest noted = fixture.noted();
    EXPECT_EQ(noted.state, State::filling);
    EXPECT_EQ(noted.objects, 64U);
    EXPECT_EQ(noted.object_size, mib(1));
    EXPECT_EQ(noted.pool, "hdd");
    EXPECT_EQ(noted.owner.client, 4242U);
    EXPECT_TRUE(fixture.site->alive.contains(this_run));
    EXPECT_FALSE(dataset.ready());
  }
  EXPECT_FALSE(fixture.site->alive.contains(this_run));
}

TEST(DatasetMade, RunIdThatIsTaken_IsAnErrorAndTheOtherManifestStays) {
  PrepareFixture fixture;
  leave_filled(fixture);
  const RunPlan plan = kept_plan("randread4k,size=1M,object-size=1M");
  EXPECT_FALSE(Dataset::make(plan, fixture.session, layout_of(plan), earlier_run));
  EXPECT_EQ(fixture.noted(earlier_run).objects, 64U);
}

TEST(DatasetMade, CleanUp_RemovesObjectsManifestAndIndexEntry) {
  PrepareFixture fixture;
  Dataset dataset = made(fixture, plan_for("hdd", "randread4k,size=64M,object-size=1M"));
  fixture.site->fill(this_run, 64);
  fixture.site->objects["of somebody else"] = {"x"};
  ASSERT_TRUE(dataset.mark_ready());
  dataset.clean_up(false, fixture.interrupts, fixture.notes);
  EXPECT_EQ(fixture.site->objects.size(), 1U);
  EXPECT_THAT(fixture.site->index, IsEmpty());
  EXPECT_THAT(fixture.notes.lines, IsEmpty());
}

TEST(DatasetMade, KeepOfAFilledOne_LeavesItAndSaysHowToUseAndRemoveIt) {
  PrepareFixture fixture;
  leave_filled(fixture);
  EXPECT_EQ(fixture.site->objects.size(), 65U);
  EXPECT_EQ(fixture.noted(earlier_run).state, State::ready);
  ASSERT_EQ(fixture.notes.lines.size(), 1U);
  EXPECT_THAT(fixture.notes.lines[0], HasSubstr(std::string("--reuse ") + earlier_run));
  EXPECT_THAT(fixture.notes.lines[0], HasSubstr("cleanup --pool hdd --run"));
}

TEST(DatasetMade, KeepOfOneThatIsOnlyPartlyFilled_RemovesIt) {
  PrepareFixture fixture;
  Dataset dataset = made(fixture, kept_plan());
  fixture.site->fill(this_run, 20);
  dataset.clean_up(true, fixture.interrupts, fixture.notes);
  EXPECT_TRUE(fixture.nothing_noted());
}

TEST(DatasetMade, SecondSignal_SkipsTheCleanUpAndReportsIt) {
  PrepareFixture fixture;
  Dataset dataset = made(fixture, plan_for("hdd", "randread4k,size=64M,object-size=1M"));
  fixture.site->fill(this_run, 64);
  fixture.interrupts.notice(SIGINT);
  fixture.interrupts.notice(SIGINT);
  dataset.clean_up(false, fixture.interrupts, fixture.notes);
  EXPECT_EQ(fixture.site->objects.size(), 65U);
  ASSERT_EQ(fixture.notes.lines.size(), 1U);
  EXPECT_THAT(fixture.notes.lines[0], HasSubstr("radosload cleanup --pool hdd"));
  EXPECT_FALSE(fixture.site->alive.contains(this_run)) << "or that cleanup would wait for it";
}

TEST(DatasetMade, LeftBehind_StaysInTheClusterAndIsNamed) {
  PrepareFixture fixture;
  const Dataset dataset = made(fixture, kept_plan());
  dataset.leave(fixture.notes);
  EXPECT_EQ(fixture.noted().run, this_run);
  ASSERT_EQ(fixture.notes.lines.size(), 1U);
  EXPECT_THAT(fixture.notes.lines[0], HasSubstr("radosload cleanup --pool hdd"));
}

TEST(DatasetMade, RemovedByOthersMeanwhile_IsNotHeldAnyMore) {
  PrepareFixture fixture;
  Dataset dataset = made(fixture, kept_plan());
  EXPECT_TRUE(dataset.check_held());
  fixture.site->objects.clear();
  EXPECT_FALSE(dataset.check_held());
  EXPECT_FALSE(dataset.mark_ready());
}

TEST(DatasetReused, KeptAndFilled_IsTakenHeldAndLeftAsItIs) {
  PrepareFixture fixture;
  leave_filled(fixture);
  const auto before = fixture.site->contents();
  {
    auto dataset = reused(fixture, reusing_plan());
    ASSERT_TRUE(dataset) << dataset.error().message();
    EXPECT_TRUE(dataset->reused());
    EXPECT_TRUE(dataset->ready());
    EXPECT_EQ(dataset->name(), earlier_run);
    EXPECT_TRUE(fixture.site->alive.contains(earlier_run));
    dataset->clean_up(false, fixture.interrupts, fixture.notes);
  }
  EXPECT_EQ(fixture.site->contents(), before);
}

TEST(DatasetReused, FewerObjectsAreWanted_IsTaken) {
  PrepareFixture fixture;
  leave_filled(fixture);
  EXPECT_TRUE(reused(fixture, reusing_plan("randread4k,size=16M,object-size=1M")));
}

struct Refused {
  const char* name;
  const char* pattern;  // of the run that wants them
  std::function<void(footprint::Manifest&)> change;
  const char* reason;
};

class DatasetRefused : public ::testing::TestWithParam<Refused> {};

TEST_P(DatasetRefused, DoesNotFit_IsRefusedWithTheReasonAndStays) {
  PrepareFixture fixture;
  leave_filled(fixture);
  footprint::Manifest manifest = fixture.noted(earlier_run);
  GetParam().change(manifest);
  fixture.site->store(earlier_run, manifest);
  const auto before = fixture.site->contents();
  const auto dataset = reused(fixture, reusing_plan(GetParam().pattern));
  ASSERT_FALSE(dataset);
  EXPECT_EQ(dataset.error().exit, Exit::refused);
  EXPECT_THAT(dataset.error().message(), HasSubstr(GetParam().reason));
  EXPECT_EQ(fixture.site->contents(), before);
  EXPECT_THAT(fixture.site->alive, IsEmpty());
}

constexpr const char* same = "randread4k,size=64M,object-size=1M";

INSTANTIATE_TEST_SUITE_P(
    Reasons, DatasetRefused,
    ::testing::Values(Refused{"PartlyThere", same, [](auto& of) { of.state = State::filling; },
                              "its prefill did not finish"},
                      Refused{"BeingRemoved", same, [](auto& of) { of.state = State::deleting; },
                              "a cleanup is removing it"},
                      Refused{"NotKept", same, [](auto& of) { of.keep = false; }, "--keep"},
                      Refused{"TooFew", "randread4k,size=128M,object-size=1M", [](auto&) {},
                              "it has 64 objects, not 128"},
                      Refused{"OtherObjectSize", "randread4k,size=64M,object-size=2M", [](auto&) {},
                              "its object size is"},
                      Refused{"OtherContent", "omap-get,size=64M,object-size=1M", [](auto&) {},
                              "its objects hold data"}),
    [](const auto& info) { return info.param.name; });

TEST(DatasetReused, NothingIsThere_IsRefused) {
  PrepareFixture fixture;
  const auto dataset = reused(fixture, reusing_plan());
  ASSERT_FALSE(dataset);
  EXPECT_EQ(dataset.error().exit, Exit::refused);
}

TEST(DatasetReused, CleanUpBeginsBetweenLookAndHold_IsRefused) {
  PrepareFixture fixture;
  leave_filled(fixture);
  fixture.site->before = [&, begun = false](const std::string& call) mutable {
    if (call != "lease" || std::exchange(begun, true)) return;
    footprint::Manifest marked = fixture.noted(earlier_run);
    marked.state = State::deleting;
    fixture.site->store(earlier_run, marked);
  };
  const auto dataset = reused(fixture, reusing_plan());
  ASSERT_FALSE(dataset);
  EXPECT_EQ(dataset.error().exit, Exit::refused);
  EXPECT_THAT(dataset.error().message(), HasSubstr("a cleanup is removing it"));
  EXPECT_THAT(fixture.site->alive, IsEmpty());
}

TEST(DatasetOver, KeptImagesOfRadosload_AreFilledAgainAndKept) {
  RunPlan plan = kept_plan("randwrite4k,size=64M,object-size=4M");
  plan.target = TargetKind::rbd;
  PrepareFixture fixture(plan);
  {
    auto first = Dataset::make(plan, fixture.session, layout_of(plan), earlier_run, {"vm1"});
    ASSERT_TRUE(first && first->mark_ready());
  }
  const std::uint64_t stamp = fixture.noted(earlier_run).stamp;
  auto dataset = Dataset::on_existing_images(plan, fixture.session, layout_of(plan), this_run,
                                             {"vm1"}, earlier_run);
  ASSERT_TRUE(dataset) << dataset.error().message();
  EXPECT_EQ(dataset->name(), earlier_run);
  EXPECT_EQ(dataset->stamp(), stamp) << "who reuses them must find what they held";
  EXPECT_FALSE(dataset->ready());
  ASSERT_TRUE(dataset->mark_ready());
  dataset->clean_up(false, fixture.interrupts, fixture.notes);
  EXPECT_EQ(fixture.noted(earlier_run).state, State::ready);
  EXPECT_THAT(fixture.site->index, ElementsAre(earlier_run));
}

TEST(DatasetOver, ForeignImages_AreNeitherNotedNorRemoved) {
  RunPlan plan = kept_plan("randwrite4k,size=64M,object-size=4M");
  plan.target = TargetKind::rbd;
  PrepareFixture fixture(plan);
  auto dataset =
      Dataset::on_existing_images(plan, fixture.session, layout_of(plan), this_run, {"vm1"}, "");
  ASSERT_TRUE(dataset && dataset->mark_ready());
  dataset->clean_up(false, fixture.interrupts, fixture.notes);
  EXPECT_TRUE(fixture.nothing_noted());
  EXPECT_EQ(fixture.site->asked, 0U);
}

}  // namespace
}  // namespace radosload::prepare
