#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/osds.h"
#include "unit/recorded_cluster.h"

namespace radosload::observe {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Its OSDs have the settings of their release.
class UnsetCluster final : public RecordedCluster {
 public:
  explicit UnsetCluster(const char* release) : RecordedCluster(release) {
    answer("config dump", "[]");
  }
};

TEST(FetchOsds, EverythingIsSeenInBothReleases) {
  for (const char* const version : {"16.2.15", "18.2.7"}) {
    UnsetCluster cluster(version);
    const auto osds = fetch_osds(cluster);
    ASSERT_TRUE(osds) << osds.error().message();
    EXPECT_THAT(osds->unseen, IsEmpty());
    EXPECT_TRUE(osds->settings_seen);
    ASSERT_THAT(osds->osds, SizeIs(4));
    for (const placement::Osd& osd : osds->osds) {
      EXPECT_NE(osd.kind, placement::OsdKind::unknown);
      EXPECT_TRUE(osd.fill && osd.pgs && osd.primaries);
      EXPECT_EQ(osd.version, version);
    }
  }
}

TEST(FetchOsds, WithoutTheManagerOnlyFillAndPgsAreUnseen) {
  UnsetCluster cluster("16.2.15");
  cluster.deny_all("the mgr");
  const auto osds = fetch_osds(cluster);
  ASSERT_TRUE(osds);
  ASSERT_THAT(osds->unseen, SizeIs(2));
  EXPECT_THAT(osds->unseen[0], ::testing::AllOf(HasSubstr("fill"), HasSubstr("EACCES")));
  EXPECT_THAT(osds->unseen[1], HasSubstr("PGs"));
  EXPECT_EQ(osds->osds[1].kind, placement::OsdKind::wal);
  EXPECT_FALSE(osds->osds[1].fill);
}

TEST(FetchOsds, OtherDeniedCommands_AreReported) {
  for (const auto& [prefix, word] :
       {std::pair{"osd metadata", "kinds"}, {"config dump", "mclock"}, {"health", "spillover"}}) {
    UnsetCluster cluster("18.2.7");
    cluster.deny(prefix);
    const auto osds = fetch_osds(cluster);
    ASSERT_TRUE(osds) << prefix;
    ASSERT_THAT(osds->unseen, SizeIs(1)) << prefix;
    EXPECT_THAT(osds->unseen[0], HasSubstr(word));
  }
}

TEST(FetchOsds, WithoutTheTree_Fails) {
  UnsetCluster cluster("18.2.7");
  cluster.deny("osd tree");
  EXPECT_FALSE(fetch_osds(cluster));
}

TEST(FetchOsds, SpilloverIsNotedOnItsOsd) {
  UnsetCluster cluster("18.2.7");
  cluster.answer(
      "health",
      R"({"status": "HEALTH_WARN", "checks": {"BLUEFS_SPILLOVER": {"severity": "HEALTH_WARN",
          "detail": [{"message": " osd.2 spilled over 1 GiB metadata to slow device"}]}}})");
  const auto osds = fetch_osds(cluster);
  ASSERT_TRUE(osds);
  EXPECT_THAT(osds->osds[2].complaints, SizeIs(1));
  EXPECT_THAT(osds->osds[1].complaints, IsEmpty());
}

}  // namespace
}  // namespace radosload::observe
