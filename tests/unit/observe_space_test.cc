#include <cerrno>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/asked_once.h"
#include "observe/fetch_osd_map.h"
#include "observe/space.h"
#include "placement/space_plan.h"
#include "unit/recorded_cluster.h"

namespace radosload::observe {
namespace {

using ::testing::HasSubstr;

Result<placement::SpaceView> space_in(AdminCommands& cluster, const std::string& pool) {
  RADOSLOAD_ASSIGN(const auto status, fetch_status(cluster));
  return fetch_space(cluster, status, pool);
}

TEST(FetchSpace, AfterTheStatus_NoQuestionIsAskedTwice) {
  RecordedCluster cluster("16.2.15");
  ASSERT_TRUE(space_in(cluster, "hdd"));
  EXPECT_EQ(cluster.asked().size(), 8U);
  for (const auto& [command, times] : cluster.asked()) EXPECT_EQ(times, 1) << command;
}

TEST(AskedOnce, SameQuestion_GoesOutOnceAndGetsTheSameAnswer) {
  RecordedCluster cluster("16.2.15");
  cluster.deny_all("the mgr");
  AskedOnce once(cluster);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(fetch_osd_map(once));
    EXPECT_EQ(once.mgr("osd df").error().subject, "the mgr") << "a refusal is an answer, too";
  }
  EXPECT_EQ(cluster.asked().at(std::string(osd_dump_command)), 1);
  EXPECT_EQ(cluster.asked().at("osd df"), 1);
}

TEST(AskedOnce, SameCommandToOthers_IsAskedOfEach) {
  RecordedCluster cluster("16.2.15");
  AskedOnce once(cluster);
  static_cast<void>(once.mon("version"));
  static_cast<void>(once.mgr("version"));
  EXPECT_EQ(cluster.asked().at("version"), 2);
}

TEST(FetchSpace, OsdDumpDenied_ErrorNamesIt) {
  RecordedCluster cluster("16.2.15");
  cluster.deny("osd dump");
  const auto view = space_in(cluster, "hdd");
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().errnum, EACCES);
}

TEST(FetchSpace, SeesEverythingWithTheMgr) {
  for (const char* const release : {"16.2.15", "18.2.7"}) {
    RecordedCluster cluster(release);
    const auto view = space_in(cluster, "ec-k2m1");
    ASSERT_TRUE(view) << view.error().message();
    EXPECT_TRUE(view->unseen.empty());
    EXPECT_EQ(view->osds.size(), 4U);
    EXPECT_EQ(view->pgs.size(), 16U);
    EXPECT_EQ(view->allocation.size(), 4U);
    EXPECT_TRUE(view->pool.max_avail);
  }
}

TEST(FetchSpace, WithoutTheMgr_MissingPartsAreReported) {
  RecordedCluster cluster("16.2.15");
  cluster.deny_all("the mgr");
  const auto view = space_in(cluster, "hdd");
  ASSERT_TRUE(view) << view.error().message();
  ASSERT_EQ(view->unseen.size(), 1U);
  EXPECT_THAT(view->unseen[0], HasSubstr("the mgr"));
  EXPECT_TRUE(view->osds.empty());
  EXPECT_TRUE(view->pool.max_avail) << "the mons know that much";
}

TEST(RefreshPgs, UpdatesAnsweredPgsAndKeepsTheOthers) {
  placement::SpaceView view;
  view.pool.id = 2;
  view.down = {1};
  RecordedCluster cluster("16.2.15");
  cluster.deny_all("the mgr");
  refresh_pgs(cluster, view);
  EXPECT_TRUE(view.pgs.empty()) << "nobody could tell";
  EXPECT_TRUE(view.down.empty()) << "it is up again";
  RecordedCluster whole("16.2.15");
  refresh_pgs(whole, view);
  EXPECT_EQ(view.pgs.size(), 16U);
}

TEST(FetchSpace, AMissingPoolIsAnError) {
  RecordedCluster cluster("16.2.15");
  const auto view = space_in(cluster, "nosuch");
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().exit, Exit::no_cluster);
}

}  // namespace
}  // namespace radosload::observe
