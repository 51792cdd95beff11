#include <map>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "observe/osds.h"
#include "support/files.h"

namespace radosload::observe {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Answers with recordings of one Ceph version; what is denied, or was never recorded, is an error.
class Answering final : public AdminCommands {
 public:
  explicit Answering(std::string version) : m_version(std::move(version)) {}
  bool mgr_denied = false;
  std::string denied_prefix = {};
  std::map<std::string, std::string> instead = {{"config dump", "[]"}};

  Result<std::string> mon(const std::string& command) override { return answer(command); }
  Result<std::string> mgr(const std::string& command) override {
    return mgr_denied ? denied() : answer(command);
  }
  Result<std::string> osd(int, const std::string&) override { return denied(); }

 private:
  Result<std::string> answer(const std::string& command) const {
    const auto asks = [&](const std::string& prefix) {
      return command.find("\"prefix\": \"" + prefix + "\"") != std::string::npos;
    };
    if (!denied_prefix.empty() && asks(denied_prefix)) return denied();
    for (const auto& [prefix, text] : instead) {
      if (asks(prefix)) return text;
    }
    for (const auto& [prefix, file] : {std::pair{"osd tree", "osd-tree.json"},
                                       {"osd metadata", "osd-metadata-all.json"},
                                       {"health", "health-detail.json"},
                                       {"osd df", "osd-df.json"},
                                       {"pg dump", "pg-dump-pgs_brief.json"}}) {
      if (asks(prefix)) return test::fixture(m_version, file);
    }
    return denied();
  }
  static Result<std::string> denied() {
    return fail({.attempt = "ask", .errnum = EACCES, .exit = Exit::no_cluster});
  }
  std::string m_version;
};

TEST(FetchOsds, EverythingIsSeenInBothReleases) {
  for (const char* const version : {"16.2.15", "18.2.7"}) {
    Answering cluster(version);
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
  Answering cluster("16.2.15");
  cluster.mgr_denied = true;
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
    Answering cluster("18.2.7");
    cluster.denied_prefix = prefix;
    const auto osds = fetch_osds(cluster);
    ASSERT_TRUE(osds) << prefix;
    ASSERT_THAT(osds->unseen, SizeIs(1)) << prefix;
    EXPECT_THAT(osds->unseen[0], HasSubstr(word));
  }
}

TEST(FetchOsds, WithoutTheTree_Fails) {
  Answering cluster("18.2.7");
  cluster.denied_prefix = "osd tree";
  EXPECT_FALSE(fetch_osds(cluster));
}

TEST(FetchOsds, SpilloverIsNotedOnItsOsd) {
  Answering cluster("18.2.7");
  cluster.instead["health"] =
      R"({"status": "HEALTH_WARN", "checks": {"BLUEFS_SPILLOVER": {"severity": "HEALTH_WARN",
          "detail": [{"message": " osd.2 spilled over 1 GiB metadata to slow device"}]}}})";
  const auto osds = fetch_osds(cluster);
  ASSERT_TRUE(osds);
  EXPECT_THAT(osds->osds[2].complaints, SizeIs(1));
  EXPECT_THAT(osds->osds[1].complaints, IsEmpty());
}

}  // namespace
}  // namespace radosload::observe
