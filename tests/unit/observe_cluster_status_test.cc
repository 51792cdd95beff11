#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/cluster_status.h"
#include "support/files.h"
#include "unit/recorded_cluster.h"

namespace radosload::observe {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* active_balancer = R"({"active": true, "mode": "upmap"})";

class EveryVersion : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Ceph, EveryVersion, ::testing::Values("16.2.15", "18.2.7"));

TEST_P(EveryVersion, StatusIsReadFromRecordedAnswers) {
  RecordedCluster cluster(GetParam());
  cluster.answer("balancer status", active_balancer);
  const auto status = fetch_status(cluster);
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_THAT(status->fsid, SizeIs(36));
  EXPECT_EQ(status->osds, 4U);
  EXPECT_EQ(status->osds_up, 4U);
  EXPECT_EQ(status->mons, 1U);
  EXPECT_THAT(status->quorum, ::testing::ElementsAre("a"));
  EXPECT_TRUE(status->mgr_available);
  EXPECT_THAT(status->osdmap.flags, IsEmpty());
  ASSERT_THAT(status->versions, SizeIs(1));
  EXPECT_THAT(status->versions.begin()->first, HasSubstr(GetParam()));
  EXPECT_EQ(status->versions.begin()->second, 6U);
  EXPECT_THAT(status->unseen, IsEmpty());

  ASSERT_NE(status->osdmap.pool("hdd"), nullptr);
  const placement::Pool& hdd = *status->osdmap.pool("hdd");
  EXPECT_FALSE(hdd.erasure);
  EXPECT_EQ(hdd.size, 3U);
  EXPECT_EQ(hdd.pg_num, 16U);
  EXPECT_FALSE(hdd.full);
  ASSERT_TRUE(hdd.max_avail);
  EXPECT_GT(hdd.max_avail->count, gib(1).count);

  ASSERT_NE(status->osdmap.pool("ec-k2m1"), nullptr);
  const placement::Pool& ec = *status->osdmap.pool("ec-k2m1");
  EXPECT_TRUE(ec.erasure);
  EXPECT_EQ(ec.k, 2U);
  EXPECT_EQ(ec.m, 1U);
  EXPECT_TRUE(ec.overwrites);
}

TEST_P(EveryVersion, Distortions_AreNamedWithAdvice) {
  RecordedCluster cluster(GetParam());
  cluster.answer("balancer status", active_balancer);
  const auto status = fetch_status(cluster);
  ASSERT_TRUE(status);
  bool balancer = false;
  for (const Distortion& found : distortions(*status)) {
    balancer = balancer || found.advice == "ceph balancer off";
  }
  EXPECT_TRUE(balancer);
}

TEST(ClusterStatus, MissingRights_AreReported) {
  RecordedCluster cluster("16.2.15");
  cluster.deny_all("the mgr");
  const auto status = fetch_status(cluster);
  ASSERT_TRUE(status);
  EXPECT_FALSE(status->balancer_active);
  ASSERT_THAT(status->unseen, SizeIs(1));
  EXPECT_THAT(status->unseen.front(), HasSubstr("EACCES"));
}

TEST(ClusterStatus, WithoutAnyRights_Fails) {
  RecordedCluster cluster("16.2.15");
  cluster.deny_all("the mons");
  EXPECT_FALSE(fetch_status(cluster));
}

TEST(ClusterStatus, AnswersThatAreNotObjects_AreErrors) {
  ClusterStatus status;
  for (const char* text : {"", "[]", "null", "{", "7"}) {
    EXPECT_FALSE(parse_status(text, status)) << text;
    EXPECT_FALSE(parse_versions(text, status)) << text;
    EXPECT_FALSE(parse_balancer(text, status)) << text;
  }
}

TEST(ClusterStatus, MissingAndWrongMembers_AreNoErrors) {
  ClusterStatus status;
  EXPECT_TRUE(parse_status(R"({"health": 3, "pgmap": [], "osdmap": {"num_osds": -1}})", status));
  EXPECT_EQ(status.osds, 0U);
  const auto map = placement::parse_osd_dump(R"({"pools": [{}], "flags_set": "x"})");
  ASSERT_TRUE(map) << map.error().message();
  EXPECT_THAT(map->pools, SizeIs(1));
}

ClusterStatus quiet_cluster() {
  ClusterStatus status;
  status.pg_states["active+clean"] = 8;
  return status;
}

TEST(Distortions, AQuietClusterHasNone) {
  EXPECT_THAT(distortions(quiet_cluster()), IsEmpty());
}

TEST(Distortions, EachIsNoticed) {
  using Change = void (*)(ClusterStatus&);
  const std::vector<std::pair<Change, std::string>> changes = {
      {[](ClusterStatus& s) {
         s.checks.push_back({"SLOW_OPS", "HEALTH_WARN", "3 slow", false});
       },
       "SLOW_OPS"},
      {[](ClusterStatus& s) { s.osdmap.flags = {"noout"}; }, "noout"},
      {[](ClusterStatus& s) { s.pg_states["active+clean+scrubbing+deep"] = 2; }, "2 PGs are being"},
      {[](ClusterStatus& s) { s.pg_states["peering"] = 1; }, "1 PGs are not active"},
      {[](ClusterStatus& s) { s.pg_states["active+clean+snaptrim_wait"] = 1; }, "snapshots"},
      {[](ClusterStatus& s) { s.recovering_objects = 5; }, "recovery"},
      {[](ClusterStatus& s) { s.balancer_active = true; }, "balancer"},
      {[](ClusterStatus& s) {
         s.versions = {{"16", 1}, {"18", 1}};
       },
       "different versions"},
      {[](ClusterStatus& s) { s.client_ops_per_second = 9; }, "clients did 9 operations"},
      {[](ClusterStatus& s) { s.osdmap.pools.push_back({.name = "p", .full = true}); }, "full"},
      {[](ClusterStatus& s) {
         s.osdmap.pools.push_back({.name = "p", .pg_num = 8, .pg_num_target = 4});
       },
       "from 8 to 4"},
      {[](ClusterStatus& s) { s.osdmap.pools.push_back({.name = "p", .autoscale = "on"}); },
       "autoscaler"}};
  for (const auto& [change, words] : changes) {
    ClusterStatus status = quiet_cluster();
    change(status);
    const auto found = distortions(status);
    ASSERT_THAT(found, SizeIs(1)) << words;
    EXPECT_THAT(found.front().what, HasSubstr(words));
  }
}

TEST(Distortions, AMutedCheckIsSilent) {
  ClusterStatus status = quiet_cluster();
  status.checks.push_back({"MON_DISK_LOW", "HEALTH_WARN", "low", true});
  EXPECT_THAT(distortions(status), IsEmpty());
}

}  // namespace
}  // namespace radosload::observe
