// What one step of a series leaves for the next ones: found again, or removed when none needs it.
#include <csignal>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "prepare/dataset_cache.h"
#include "unit/prepare_support.h"

namespace radosload::prepare {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* reads = "randread4k,size=16M,object-size=1M";
constexpr const char* mixed = "randrw4k,size=16M,object-size=1M";

std::optional<DatasetCache::PlannedLayout> laid(const RunPlan& plan) {
  auto layout = layout_for(plan, {.overwrites = true});
  if (!layout) return std::nullopt;
  return DatasetCache::PlannedLayout{plan, *std::move(layout)};
}

struct Series {
  PrepareFixture fixture;
  DatasetCache cache;

  // A step that fills objects, and then leaves them to the cache.
  void step(const RunPlan& plan, std::vector<RunPlan> later, bool filled = true) {
    cache.expect(std::move(later));
    const workload::Layout layout = layout_of(plan);
    auto dataset = Dataset::make(plan, fixture.session, layout, this_run).value();
    fixture.site->fill(this_run, layout.objects);
    if (filled) {
      ASSERT_TRUE(dataset.mark_ready());
    }
    put(std::move(dataset), plan);
  }
  void put(Dataset dataset, const RunPlan& plan) {
    cache.put(std::move(dataset), plan, layout_of(plan), laid, fixture.interrupts, fixture.notes);
  }
  const Dataset* find(const RunPlan& plan) const { return cache.find(plan, layout_of(plan)); }
};

TEST(DatasetCache, StepThatReadsTheSameObjects_FindsThemFilledAndHeld) {
  Series series;
  const RunPlan next = plan_for("hdd", mixed);
  series.step(plan_for("hdd", reads), {next});
  EXPECT_EQ(series.fixture.site->objects.size(), 17U);
  EXPECT_TRUE(series.fixture.site->alive.contains(this_run));
  const Dataset* const found = series.find(next);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name(), this_run);
  EXPECT_TRUE(found->ready());
}

TEST(DatasetCache, TakenOnce_IsNotFoundAgainUntilItIsPutBack) {
  Series series;
  const RunPlan plan = plan_for("hdd", reads);
  series.step(plan, {plan, plan});
  auto taken = series.cache.take(this_run);
  ASSERT_TRUE(taken);
  EXPECT_EQ(series.find(plan), nullptr);
  EXPECT_FALSE(series.cache.take(this_run));
  series.put(*std::move(taken), plan);
  EXPECT_NE(series.find(plan), nullptr);
}

TEST(DatasetCache, NoLaterStepCanUseIt_IsRemovedAtOnce) {
  Series series;
  series.step(plan_for("hdd", reads), {plan_for("hdd", "randread4k,size=16M,object-size=2M")});
  EXPECT_TRUE(series.fixture.nothing_noted());
  EXPECT_EQ(series.find(plan_for("hdd", reads)), nullptr);
}

TEST(DatasetCache, LastStepThatNeededIt_RemovesIt) {
  Series series;
  const RunPlan plan = plan_for("hdd", reads);
  series.step(plan, {plan});
  auto taken = series.cache.take(this_run);
  ASSERT_TRUE(taken);
  series.cache.expect({});
  series.put(*std::move(taken), plan);
  EXPECT_TRUE(series.fixture.nothing_noted());
}

TEST(DatasetCache, OtherStepsThatDoNotFit_FindNothing) {
  Series series;
  const RunPlan plan = plan_for("hdd", reads);
  series.step(plan, {plan});
  EXPECT_EQ(series.find(plan_for("ssd", reads)), nullptr) << "another pool";
  EXPECT_EQ(series.find(plan_for("hdd", "randread4k,size=32M,object-size=1M")), nullptr) << "more";
  EXPECT_EQ(series.find(plan_for("hdd", "create,objects=16")), nullptr) << "makes its own objects";
  RunPlan elsewhere = plan;
  elsewhere.nspace = "other";
  EXPECT_EQ(series.find(elsewhere), nullptr);
  RunPlan named = plan;
  named.reuse = "last";
  EXPECT_EQ(series.find(named), nullptr) << "--reuse names others";
  EXPECT_NE(series.find(plan), nullptr);
}

TEST(DatasetCache, WritesThatBeginWithinASector_FindNothing) {
  Series series;
  const RunPlan writes = plan_for("hdd", "etcd-wal");
  const RunPlan plan = plan_for("hdd", "randread4k,size=22M,object-size=2M");
  series.step(plan, {plan});
  EXPECT_EQ(layout_of(writes).total(), layout_of(plan).total());
  EXPECT_EQ(series.find(writes), nullptr) << "they would cut the stamps of others in two";
}

TEST(DatasetCache, ObjectsWithValues_ServeStepsThatWriteValues_NotTheReverse) {
  const RunPlan get = plan_for("hdd", "omap-get,size=256K,object-size=16K");
  const RunPlan set = plan_for("hdd", "omap-set,size=256K,object-size=16K");
  Series filled;
  filled.step(get, {get, set});
  EXPECT_NE(filled.find(set), nullptr);
  Series empty;
  empty.step(set, {get, set});
  EXPECT_EQ(empty.find(get), nullptr);
  EXPECT_NE(empty.find(set), nullptr);
}

TEST(DatasetCache, PartlyFilled_IsRemovedThoughALaterStepWantsIt) {
  Series series;
  const RunPlan plan = plan_for("hdd", reads);
  series.step(plan, {plan}, false);
  EXPECT_TRUE(series.fixture.nothing_noted());
}

TEST(DatasetCache, AfterASignal_NothingIsKeptForLaterSteps) {
  Series series;
  const RunPlan plan = plan_for("hdd", reads);
  series.fixture.interrupts.notice(SIGINT);
  series.step(plan, {plan});
  EXPECT_EQ(series.find(plan), nullptr);
  EXPECT_FALSE(series.fixture.site->alive.contains(this_run));
}

TEST(DatasetCache, EndOfTheSeries_RemovesDataSetsThatAreNotKept) {
  RunPlan kept = plan_for("hdd", reads);
  kept.keep = true;
  for (const RunPlan& plan : {plan_for("hdd", reads), kept}) {
    Series series;
    series.step(plan, {plan});
    series.cache.clear(series.fixture.interrupts, series.fixture.notes);
    EXPECT_EQ(series.fixture.nothing_noted(), !plan.keep);
    EXPECT_EQ(series.find(plan), nullptr);
  }
}

}  // namespace
}  // namespace radosload::prepare
