#include <cerrno>
#include <map>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/asked_once.h"
#include "observe/fetch_osd_map.h"
#include "observe/space.h"
#include "placement/space_plan.h"
#include "support/files.h"

namespace radosload::observe {
namespace {

using ::testing::HasSubstr;

// Answers from a release's fixtures; the mgr only when it is there.
class RecordedSpace final : public AdminCommands {
 public:
  RecordedSpace(std::string release, bool mgr) : m_release(std::move(release)), m_mgr(mgr) {}
  std::map<std::string, int> asked = {};
  bool osd_dump_denied = false;

  Result<std::string> mon(const std::string& command) override {
    ++asked[command];
    if (command.find("\"status\"") != std::string::npos) return file("status.json");
    if (command.find("osd dump") != std::string::npos) {
      return osd_dump_denied ? no("the mons") : file("osd-dump.json");
    }
    if (command.find("osd metadata") != std::string::npos) return file("osd-metadata-all.json");
    if (command.find("\"df\"") != std::string::npos) return file("df-detail.json");
    return no("the mons");
  }
  Result<std::string> mgr(const std::string& command) override {
    ++asked[command];
    if (!m_mgr) return no("the mgr");
    if (command.find("osd df") != std::string::npos) return file("osd-df.json");
    if (command.find("pgs_brief") != std::string::npos) return file("pg-dump-pgs_brief.json");
    return no("the mgr");
  }
  Result<std::string> osd(int, const std::string&) override { return no("an OSD"); }

 private:
  Result<std::string> file(const std::string& name) const { return test::fixture(m_release, name); }
  static Result<std::string> no(const std::string& daemon) {
    return fail({.attempt = "get an answer from", .subject = daemon, .errnum = EACCES});
  }

  std::string m_release;
  bool m_mgr;
};

Result<placement::SpaceView> space_in(RecordedSpace& cluster, const std::string& pool) {
  RADOSLOAD_ASSIGN(const auto status, fetch_status(cluster));
  return fetch_space(cluster, status, pool);
}

TEST(FetchSpace, AfterTheStatus_NoQuestionIsAskedTwice) {
  RecordedSpace cluster("16.2.15", true);
  ASSERT_TRUE(space_in(cluster, "hdd"));
  EXPECT_EQ(cluster.asked.size(), 8U);
  for (const auto& [command, times] : cluster.asked) EXPECT_EQ(times, 1) << command;
}

TEST(AskedOnce, SameQuestion_GoesOutOnceAndGetsTheSameAnswer) {
  RecordedSpace cluster("16.2.15", false);
  AskedOnce once(cluster);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(fetch_osd_map(once));
    EXPECT_EQ(once.mgr("osd df").error().subject, "the mgr") << "a refusal is an answer, too";
  }
  EXPECT_EQ(cluster.asked[std::string(osd_dump_command)], 1);
  EXPECT_EQ(cluster.asked["osd df"], 1);
}

TEST(AskedOnce, SameCommandToOthers_IsAskedOfEach) {
  RecordedSpace cluster("16.2.15", true);
  AskedOnce once(cluster);
  static_cast<void>(once.mon("version"));
  static_cast<void>(once.mgr("version"));
  EXPECT_EQ(cluster.asked["version"], 2);
}

TEST(FetchSpace, OsdDumpDenied_ErrorNamesIt) {
  RecordedSpace cluster("16.2.15", true);
  cluster.osd_dump_denied = true;
  const auto view = space_in(cluster, "hdd");
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().errnum, EACCES);
}

TEST(FetchSpace, SeesEverythingWithTheMgr) {
  for (const char* const release : {"16.2.15", "18.2.7"}) {
    RecordedSpace cluster(release, true);
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
  RecordedSpace cluster("16.2.15", false);
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
  RecordedSpace cluster("16.2.15", false);
  refresh_pgs(cluster, view);
  EXPECT_TRUE(view.pgs.empty()) << "nobody could tell";
  EXPECT_TRUE(view.down.empty()) << "it is up again";
  RecordedSpace whole("16.2.15", true);
  refresh_pgs(whole, view);
  EXPECT_EQ(view.pgs.size(), 16U);
}

TEST(FetchSpace, AMissingPoolIsAnError) {
  RecordedSpace cluster("16.2.15", true);
  const auto view = space_in(cluster, "nosuch");
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().exit, Exit::no_cluster);
}

}  // namespace
}  // namespace radosload::observe
