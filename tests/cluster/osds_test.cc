#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "support/ceph_json.h"
#include "support/cluster.h"
#include "support/exit_status.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

json osds_of(std::vector<std::string> words) {
  words.insert(words.begin(), {"osds", "--json"});
  const Finished run = radosload_here(std::move(words));
  EXPECT_EQ(run.status, 0) << run.err;
  return json::parse(run.out);
}

// An option in the mons' database for as long as it lives.
class Setting {
 public:
  Setting(std::string who, std::string name, const std::string& value)
      : m_who(std::move(who)), m_name(std::move(name)) {
    EXPECT_EQ(ceph({"config", "set", m_who, m_name, value}).status, 0);
  }
  ~Setting() { EXPECT_EQ(ceph({"config", "rm", m_who, m_name}).status, 0); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  Setting(Setting&&) = delete;
  Setting& operator=(Setting&&) = delete;

 private:
  std::string m_who;
  std::string m_name;
};

TEST(ClusterOsds, MatchTheOutputOfCeph) {
  const json document = osds_of({});
  EXPECT_EQ(document["schema"], "radosload.osds/1");
  EXPECT_EQ(document["unseen"], json::array());
  const json metadata = ceph_json({"osd", "metadata"});
  ASSERT_EQ(document["osds"].size(), metadata.size());
  for (const json& osd : document["osds"]) {
    const int id = osd["id"];
    const json* theirs = nullptr;
    for (const json& one : metadata) {
      if (one["id"] == id) theirs = &one;
    }
    ASSERT_NE(theirs, nullptr);
    EXPECT_EQ(osd["version"], theirs->at("ceph_version_short"));
    EXPECT_EQ(osd["data"]["rotational"], theirs->at("bluestore_bdev_rotational") == "1");
    EXPECT_EQ(std::to_string(osd["data"]["size_bytes"].get<std::uint64_t>()),
              theirs->at("bluestore_bdev_size"));
    const bool wal = theirs->at("bluefs_dedicated_wal") == "1";
    const bool db = theirs->at("bluefs_dedicated_db") == "1";
    EXPECT_EQ(osd["kind"], db ? (wal ? "db+wal" : "db") : (wal ? "wal" : "plain"));
    const json found = ceph_json({"osd", "find", std::to_string(id)});
    EXPECT_EQ(osd["host"], found["crush_location"]["host"]);
    const json primary = ceph_json({"pg", "ls-by-primary", std::to_string(id)});
    EXPECT_EQ(osd["primaries"], primary["pg_stats"].size()) << "osd." << id;
  }
}

TEST(ClusterOsds, Table_HasEveryOsd) {
  const Finished run = radosload_here({"osds"});
  ASSERT_EQ(run.status, 0) << run.err;
  const json document = osds_of({});
  for (const json& osd : document["osds"]) {
    EXPECT_THAT(run.out, HasSubstr("osd." + std::to_string(osd["id"].get<int>())));
  }
  EXPECT_THAT(run.out, AllOf(HasSubstr("kind"), HasSubstr("primaries"), HasSubstr("version")));
}

TEST(ClusterOsds, List_ShowsOnlyTheGivenOsds) {
  const json document = osds_of({"kind=wal,0"});
  for (const json& osd : document["osds"]) EXPECT_TRUE(osd["id"] == 0 || osd["kind"] == "wal");
  const Finished run = radosload_here({"osds", "0,999"});
  EXPECT_EQ(run.status, no_cluster);
  EXPECT_THAT(run.err, HasSubstr("999"));
}

TEST(ClusterOsds, EveryOsdIsInOnePairAtMost) {
  const json document = osds_of({"--match"});
  ASSERT_TRUE(document["matches"].is_array());
  for (const json& match : document["matches"]) {
    std::map<int, int> used;
    for (const json& pair : match["pairs"]) {
      for (const json& id : pair["osds"]) ++used[id.get<int>()];
    }
    for (const auto& [id, times] : used) EXPECT_EQ(times, 1) << "osd." << id;
    EXPECT_EQ(match["pairs"].empty(), !match["nearest"].is_null());
  }
}

// What kinds there are is the cluster's affair: those of the lab are known, with what tells them
// apart.
TEST(ClusterOsds, KindsAreMatchedAndThoseThatAreNotThereAreNamed) {
  const Finished none = radosload_here({"osds", "--match", "plain,db+wal"});
  if (on_lab()) {
    const Finished run = radosload_here({"osds", "--match", "wal,db"});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.out, AllOf(HasSubstr("wal against db, class hdd"), HasSubstr("1 wal and 1 db"),
                               HasSubstr("host node2 v node3"), Not(HasSubstr("rotational"))));
    EXPECT_EQ(none.status, no_cluster);
    EXPECT_THAT(none.err, HasSubstr("1 hdd wal"));
    return;
  }
  const json inventory = osds_of({});
  std::set<std::string> kinds;
  for (const json& osd : inventory["osds"]) kinds.insert(osd["kind"].get<std::string>());
  const bool both = kinds.contains("plain") && kinds.contains("db+wal");
  EXPECT_EQ(none.status, both ? 0 : no_cluster) << none.err;
}

// As an OSD stores it at its first start, and as people set options by mask.
TEST(ClusterOsds, SettingsAreThoseOfTheMonsDatabase) {
  const json first = osds_of({"0"})["osds"][0];
  const std::string device_class = first["class"];
  const std::string name = "osd_mclock_max_capacity_iops_" +
                           std::string(first["data"]["rotational"] == true ? "hdd" : "ssd");
  const Setting own("osd.0", name, "123.5");
  const Setting masked("osd/class:" + device_class, "osd_recovery_sleep", "0.5");
  const Setting elsewhere("osd/class:nosuch", "osd_client_op_priority", "62");
  const json osd = osds_of({"0"})["osds"][0];
  EXPECT_EQ(osd["mclock_capacity_iops"], 123.5);
  EXPECT_THAT(osd["settings"]["osd_recovery_sleep"].get<std::string>(), HasSubstr("0.5"));
  EXPECT_FALSE(osd["settings"].contains("osd_client_op_priority"));
}

TEST(ClusterOsds, LeastRights_AreEnoughAndHiddenPartsAreReported) {
  const CephUser reader("osdreader", {"mon", "allow r"});
  const std::vector<std::string> as_reader = {"--id", reader.id(), "--keyring", reader.keyring()};
  std::vector<std::string> words = {"osds"};
  words.insert(words.end(), as_reader.begin(), as_reader.end());
  const Finished run = radosload_here(words);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("Not available"), HasSubstr("- fill"),
                             HasSubstr("mgr caps 'allow r'"), HasSubstr("kind")));
  const CephUser all("osdreader2", {"mon", "allow r", "mgr", "allow r"});
  const json document = osds_of({"--id", all.id(), "--keyring", all.keyring()});
  EXPECT_EQ(document["unseen"], json::array());
}

TEST(ClusterOsds, DownOsd_IsShownWithItsKnownProperties) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be stopped";
  ASSERT_EQ(lab({"osd", "stop", "1"}).status, 0);
  EXPECT_EQ(ceph({"osd", "down", "1"}).status, 0);
  const json document = osds_of({"1"});
  const Finished text = radosload_here({"osds"});
  const Finished match = radosload_here({"osds", "--match", "wal,db"});
  ASSERT_EQ(lab({"osd", "start", "1"}).status, 0);
  await_clean();
  EXPECT_EQ(document["osds"][0]["up"], false);
  EXPECT_EQ(document["osds"][0]["kind"], "wal");
  EXPECT_THAT(text.out, HasSubstr("1 down"));
  EXPECT_THAT(match.out, AllOf(HasSubstr("no fair pair"), HasSubstr("state down v up")));
}

}  // namespace
}  // namespace radosload::test
