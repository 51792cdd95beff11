// What is checked of a pool before a load is sent to it, on recorded answers of a cluster.
#include <string>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "study/replica_study.h"
#include "unit/recorded_cluster.h"

namespace radosload::study {
namespace {

using ::testing::HasSubstr;

RunPlan plan_on(const std::string& pool) {
  RunPlan plan;
  plan.pool = pool;
  return plan;
}

TEST(ReplicaPool, MoreOsdsThanReplicas_IsAccepted) {
  RecordedCluster cluster("18.2.7");
  const Status checked = check_replica_pool(cluster, plan_on("ec-k2m1"));
  EXPECT_TRUE(checked) << checked.error().message();
}

TEST(ReplicaPool, EveryPgOnAllOsds_IsRefusedBeforeTheLoad) {
  RecordedCluster cluster("18.2.7");
  const Status checked = check_replica_pool(cluster, plan_on("ec-k2m2"));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().exit, Exit::refused);
  EXPECT_THAT(checked.error().message(), HasSubstr("ec-k2m2"));
}

TEST(ReplicaPool, ImagesMayHaveTheirDataElsewhere_SoTheirPoolIsNotJudged) {
  RecordedCluster cluster("18.2.7");
  RunPlan plan = plan_on("ec-k2m2");
  plan.target = TargetKind::rbd;
  EXPECT_TRUE(check_replica_pool(cluster, plan));
}

TEST(ReplicaPool, MgrReportsNoPgs_SaysWhichRightsAreNeeded) {
  RecordedCluster cluster("18.2.7");
  cluster.answer("pgs_brief", R"({"pg_ready":true,"pg_stats":[]})");
  const Status checked = check_replica_pool(cluster, plan_on("hdd"));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().exit, Exit::no_cluster);
  EXPECT_THAT(checked.error().message(), HasSubstr("radosload auth replicas"));
}

TEST(ReplicaPool, MissingPool_ErrorNamesIt) {
  RecordedCluster cluster("18.2.7");
  const Status checked = check_replica_pool(cluster, plan_on("nowhere"));
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message(), HasSubstr("nowhere"));
}

}  // namespace
}  // namespace radosload::study
