#include <map>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "prepare/draft.h"
#include "prepare/prepared.h"
#include "unit/prepare_support.h"

#include <nlohmann/json.hpp>

namespace radosload::prepare {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

// What the mons say of the cluster's health, with one more check.
std::string unhealthy(const std::string& release) {
  auto status = nlohmann::json::parse(test::fixture(release, "status.json"));
  status["health"]["status"] = "HEALTH_ERR";
  status["health"]["checks"]["OSD_FULL"] = {
      {"severity", "HEALTH_ERR"}, {"summary", {{"message", "1 full osd(s)"}}}, {"muted", false}};
  return status.dump();
}

struct Inspected {
  RecordedCluster cluster;
  RunPlan plan;
  ClusterSession session;
  Result<Draft> draft;

  explicit Inspected(const RunPlan& given, const std::string& health = "")
      : cluster("18.2.7"), plan(given) {
    if (!health.empty()) cluster.answer("\"status\"", health);
    session = session_on(cluster, plan);
    draft = inspect(plan, session, this_run);
  }
};

TEST(Inspect, UnpinnedRun_KnowsTheOsdOfEveryObjectAndTheSpaceItTakes) {
  const Inspected found(plan_for("hdd", "randrw4k,size=64M,object-size=1M"));
  ASSERT_TRUE(found.draft) << found.draft.error().message();
  const Draft& draft = *found.draft;
  EXPECT_FALSE(draft.refusal);
  EXPECT_EQ(draft.dataset, draft.run_id);
  EXPECT_EQ(draft.load.layout.objects, 64U);
  ASSERT_TRUE(draft.locations);
  ASSERT_EQ(draft.locations->size(), 64U);
  for (const std::uint32_t pg : draft.locations->pgs()) {
    const auto place = found.session.space.pgs.find(pg);
    EXPECT_EQ(draft.locations->osd_of(pg), place->primary);
    EXPECT_THAT(draft.locations->members_of(pg), ElementsAreArray(place->acting));
  }
  ASSERT_TRUE(draft.space);
  EXPECT_EQ(draft.space->data, mib(64));
  EXPECT_GE(draft.space->raw, mib(3 * 64)) << "three replicas";
  EXPECT_LE(draft.space->raw, mib(3 * 65)) << "and what each object takes besides";
}

TEST(Inspect, PinnedRun_PicksAsManyObjectsForEachOsdAndAllLieThere) {
  RunPlan plan = plan_for("ec-k2m1", "randread4k,size=32M,object-size=1M");
  plan.pins.osds = "0,2";
  const Inspected found(plan);
  ASSERT_TRUE(found.draft) << found.draft.error().message();
  const Draft& draft = *found.draft;
  EXPECT_FALSE(draft.refusal);
  std::map<std::int32_t, std::size_t> objects;
  for (const std::uint32_t pg : draft.locations->pgs()) ++objects[draft.locations->osd_of(pg)];
  EXPECT_EQ(objects, (std::map<std::int32_t, std::size_t>{{0, 32}, {2, 32}}));
  EXPECT_EQ(draft.load.layout.objects, draft.picked.numbers.size());
  EXPECT_EQ(draft.picked.pgs.size(), draft.picked.numbers.size());
}

TEST(Inspect, PinnedToAnOsdThatLeadsNoPg_IsRefusedAndTheRestIsShown) {
  RunPlan plan = plan_for("ssd", "randread4k,size=32M,object-size=1M");
  plan.pins.osds = "0";
  const Inspected found(plan);
  if (!found.draft) {
    EXPECT_THAT(found.draft.error().message(), HasSubstr("osd.0"));
    return;
  }
  ASSERT_TRUE(found.draft->refusal);
  EXPECT_THAT(found.draft->refusal->message(), HasSubstr("osd.0"));
}

TEST(Inspect, PinnedRunWithoutTheMgr_IsAnErrorThatNamesTheMissingRight) {
  RunPlan plan = plan_for("ec-k2m1", "randread4k,size=32M,object-size=1M");
  plan.pins.osds = "0";
  RecordedCluster cluster("18.2.7");
  ClusterSession session = session_on(cluster, plan);
  session.space.pgs = {};
  const auto draft = inspect(plan, session, this_run);
  ASSERT_FALSE(draft);
  EXPECT_EQ(draft.error().exit, Exit::no_cluster);
  EXPECT_THAT(draft.error().message(), HasSubstr("mgr 'allow r'"));
}

TEST(Inspect, ClusterInHealthErr_IsARefusalAndTheRestIsStillShown) {
  const Inspected found(plan_for("hdd", "randread4k,size=64M"), unhealthy("18.2.7"));
  ASSERT_TRUE(found.draft) << found.draft.error().message();
  ASSERT_TRUE(found.draft->refusal);
  EXPECT_EQ(found.draft->refusal->exit, Exit::refused);
  EXPECT_THAT(found.draft->refusal->message(), HasSubstr("1 full osd(s)"));
  EXPECT_TRUE(found.draft->locations);
  EXPECT_TRUE(found.draft->space);

  RunPlan allowed = found.plan;
  allowed.allow_unhealthy = true;
  EXPECT_FALSE(Inspected(allowed, unhealthy("18.2.7")).draft->refusal);
}

TEST(Inspect, MoreThanTheOsdsHold_IsARefusal) {
  const Inspected found(plan_for("hdd", "randread4k,size=1T"));
  ASSERT_TRUE(found.draft) << found.draft.error().message();
  ASSERT_TRUE(found.draft->refusal);
  EXPECT_EQ(found.draft->refusal->exit, Exit::refused);
}

TEST(Inspect, TheFirstRefusalCounts) {
  const Inspected found(plan_for("hdd", "randread4k,size=1T"), unhealthy("18.2.7"));
  ASSERT_TRUE(found.draft) << found.draft.error().message();
  EXPECT_THAT(found.draft->refusal->message(), HasSubstr("HEALTH_ERR"));
}

TEST(Inspect, PatternThatThePoolCannotCarry_LeavesNothingToShow) {
  RunPlan plan = plan_for("ec-k2m1", "omap-get");
  RecordedCluster cluster("18.2.7");
  ClusterSession session = session_on(cluster, plan);
  session.traits.omap = false;
  EXPECT_FALSE(inspect(plan, session, this_run));
}

TEST(Inspect, Lists_HaveNoObjectSoTheirOsdsAreUnknown) {
  const Inspected found(plan_for("hdd", "list,objects=1000"));
  ASSERT_TRUE(found.draft) << found.draft.error().message();
  EXPECT_FALSE(found.draft->locations);
  EXPECT_FALSE(found.draft->refusal);
}

TEST(Commit, RefusedDraft_FailsWithItsRefusalBeforeAnythingIsMade) {
  Inspected found(plan_for("hdd", "randread4k,size=64M"), unhealthy("18.2.7"));
  ASSERT_TRUE(found.draft);
  NotedLines listener;
  base::Interrupts interrupts;
  const Error refusal = *found.draft->refusal;
  const auto prepared =
      commit(*std::move(found.draft), found.session, nullptr, interrupts, listener);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().message(), refusal.message());
}

TEST(Commit, DraftOnAPool_IsNotedInTheClusterAndMeasuredAsItWasInspected) {
  RunPlan plan = plan_for("ec-k2m1", "randread4k,size=32M,object-size=1M");
  plan.pins.osds = "0,2";
  PrepareFixture cluster(plan);
  cluster.site->pool = plan.pool;
  cluster.session.client_settings = {{"objecter_inflight_ops", "1024"}};
  cluster.session.instances = {4711};
  auto draft = inspect(plan, cluster.session, this_run);
  ASSERT_TRUE(draft) << draft.error().message();
  const std::vector<std::uint64_t> picked = draft->picked.numbers;
  const std::uint64_t objects = draft->load.layout.objects;
  ASSERT_FALSE(picked.empty());

  auto prepared =
      commit(*std::move(draft), cluster.session, nullptr, cluster.interrupts, cluster.notes);
  ASSERT_TRUE(prepared) << prepared.error().message();
  const footprint::Manifest noted = cluster.noted();
  EXPECT_EQ(noted.run, this_run);
  EXPECT_EQ(noted.objects, objects);
  EXPECT_EQ(prepared->load.layout.objects, objects);
  EXPECT_EQ(prepared->dataset.picked(), picked);
  EXPECT_FALSE(prepared->dataset.ready()) << "the run still has to write the objects";
  EXPECT_TRUE(prepared->target);
  EXPECT_TRUE(prepared->load.payload) << "so reads can be verified";
  EXPECT_TRUE(prepared->taints.empty());
  const record::Environment& environment = prepared->environment;
  ASSERT_TRUE(environment.pool);
  EXPECT_EQ(environment.pool->name, "ec-k2m1");
  EXPECT_EQ(environment.client.settings, cluster.session.client_settings);
  EXPECT_EQ(environment.client.instances, cluster.session.instances);
  ASSERT_EQ(environment.osds.size(), 2U);
  EXPECT_EQ(environment.osds[0].id, 0);
  EXPECT_EQ(environment.osds[1].id, 2);

  prepared->target.reset();
  prepared->dataset.clean_up(false, cluster.interrupts, cluster.notes);
  EXPECT_TRUE(cluster.nothing_noted());
}

TEST(Commit, RunIdThatIsTaken_LeavesTheOtherRunsManifestAlone) {
  const RunPlan plan = plan_for("hdd", "randread4k,size=64M,object-size=1M");
  PrepareFixture cluster(plan);
  auto draft = inspect(plan, cluster.session, this_run);
  ASSERT_TRUE(draft) << draft.error().message();
  cluster.site->store(this_run, cluster.site->manifest(this_run, 4));
  const auto before = cluster.site->contents();
  const auto prepared =
      commit(*std::move(draft), cluster.session, nullptr, cluster.interrupts, cluster.notes);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(cluster.site->contents(), before);
}

}  // namespace
}  // namespace radosload::prepare
