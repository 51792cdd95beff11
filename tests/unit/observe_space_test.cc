#include <cerrno>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

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

  Result<std::string> mon(const std::string& command) override {
    if (command.find("osd dump") != std::string::npos) return file("osd-dump.json");
    if (command.find("osd metadata") != std::string::npos) return file("osd-metadata-all.json");
    if (command.find("\"df\"") != std::string::npos) return file("df-detail.json");
    return no("the mons");
  }
  Result<std::string> mgr(const std::string& command) override {
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

TEST(FetchSpace, SeesEverythingWithTheMgr) {
  for (const char* const release : {"16.2.15", "18.2.7"}) {
    RecordedSpace cluster(release, true);
    const auto view = fetch_space(cluster, "ec-k2m1");
    ASSERT_TRUE(view) << view.error().message();
    EXPECT_TRUE(view->unseen.empty());
    EXPECT_EQ(view->osds.size(), 4U);
    EXPECT_EQ(view->pgs.size(), 16U);
    EXPECT_EQ(view->allocation.size(), 4U);
    EXPECT_TRUE(view->pool.max_avail);
  }
}

TEST(FetchSpace, WithoutTheMgrItSaysWhatItCouldNotSee) {
  RecordedSpace cluster("16.2.15", false);
  const auto view = fetch_space(cluster, "hdd");
  ASSERT_TRUE(view) << view.error().message();
  ASSERT_EQ(view->unseen.size(), 1U);
  EXPECT_THAT(view->unseen[0], HasSubstr("the mgr"));
  EXPECT_TRUE(view->osds.empty());
  EXPECT_TRUE(view->pool.max_avail) << "the mons know that much";
}

TEST(RefreshPgs, TakesWhatIsAnsweredAndLeavesTheRest) {
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
  const auto view = fetch_space(cluster, "nosuch");
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().exit, Exit::no_cluster);
}

}  // namespace
}  // namespace radosload::observe
