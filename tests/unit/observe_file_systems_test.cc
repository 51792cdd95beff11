// The file systems of a cluster, and why one of them cannot be used.

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/file_systems.h"
#include "support/files.h"
#include "unit/recorded_cluster.h"

namespace radosload::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// With this answer to `fs dump`.
Result<FileSystem> found_in(const std::string& dump, const std::string& name) {
  RecordedCluster cluster("16.2.15");
  cluster.answer("fs dump", dump);
  return find_file_system(cluster, name);
}

std::string complaint(const std::string& dump, const std::string& name) {
  const auto found = found_in(dump, name);
  if (found) return "";
  EXPECT_EQ(found.error().exit, Exit::no_cluster);
  EXPECT_FALSE(found.error().hint.empty());
  return found.error().message();
}

std::string dump_with(const std::string& daemons) {
  return R"({"filesystems": [{"id": 1, "mdsmap": {"fs_name": "home", "max_mds": 2,
    "data_pools": [7, 9], "metadata_pool": 6, "info": {)" +
         daemons + "}}}]}";
}

TEST(FileSystems, OfARecordedCluster_HaveTheirPoolsAndTheirMds) {
  const auto found = found_in(test::fixture("16.2.15", "fs-dump.json"), "cephfs");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->id, 1);
  EXPECT_EQ(found->metadata_pool, 6);
  EXPECT_THAT(found->data_pools, ElementsAre(7));
  EXPECT_EQ(found->ranks, 1U);
  EXPECT_THAT(found->active, ElementsAre("a"));
  EXPECT_THAT(found->others, IsEmpty());
}

TEST(FileSystems, MdsAreNamedByRankAndStandbysAreNotActive) {
  const auto found = found_in(dump_with(
                                  R"("gid_1": {"name": "late", "rank": 1, "state": "up:active"},
         "gid_2": {"name": "early", "rank": 0, "state": "up:active"},
         "gid_3": {"name": "shadow", "rank": 0, "state": "up:standby-replay"},
         "gid_4": {"name": "slow", "rank": 2, "state": "up:replay"})"),
                              "home");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_THAT(found->active, ElementsAre("early", "late"));
  EXPECT_THAT(found->others, ElementsAre("slow: up:replay"));
  EXPECT_THAT(found->data_pools, ElementsAre(7, 9));
}

TEST(FileSystems, OneThatIsNotThere_IsRefusedWithTheNamesOfTheOthers) {
  EXPECT_THAT(complaint(dump_with(""), "cephfs"), HasSubstr("the cluster has: home"));
  EXPECT_THAT(complaint(R"({"filesystems": []})", "cephfs"), HasSubstr("fsname"));
}

TEST(FileSystems, WithoutAnActiveMds_IsRefusedWithTheStateOfTheOthers) {
  EXPECT_THAT(complaint(dump_with(""), "home"), HasSubstr("none of its MDSs is running"));
  EXPECT_THAT(
      complaint(dump_with(R"("gid_4": {"name": "slow", "rank": 0, "state": "up:replay"})"), "home"),
      HasSubstr("none of its MDSs is active (slow: up:replay)"));
}

TEST(FileSystems, AnAnswerOfAnotherForm_IsRefused) {
  EXPECT_FALSE(parse_file_systems("[]"));
  EXPECT_FALSE(parse_file_systems("no JSON"));
  EXPECT_THAT(*parse_file_systems("{}"), IsEmpty());
}

}  // namespace
}  // namespace radosload::observe
