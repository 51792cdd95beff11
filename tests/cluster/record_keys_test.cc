// The keys of a record that only a run on a cluster can have: each is there, with a value that is
// plausible. All others are checked in tests/cli/record_cli_test.cc.
#include "support/record_keys.h"

#include <algorithm>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cluster/runs.h"
#include "support/ceph_json.h"
#include "support/schema_keys.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;

// They take a cluster in trouble, or an image of somebody else; the tests that set them:
const std::set<std::string> set_elsewhere = {
    // grades_test.cc
    "/grade/reasons/N",
    // images_test.cc
    "/environment/images/N/luks", "/environment/images/N/overridden/N",
    "/environment/images/N/parent", "/plan/image-namespace", "/plan/image/N", "/plan/destroy-data",
    "/plan/luks-passphrase",
    // pins_test.cc, watch_routing_test.cc
    "/routing/remapped", "/routing/strays/N/meant", "/routing/strays/N/ops",
    "/routing/strays/N/sent", "/routing/uncounted", "/routing/unsampled",
    // watch_counters_test.cc
    "/osds/OSD/counters/missing",
    // slow_ops_test.cc, record_slow_op_test.cc
    "/slowest/N/waited/after_us", "/slowest/N/waited/before_us", "/slowest/N/waited/ended",
    "/slowest/N/waited/longest_us", "/slowest/N/waited/on_osd_us", "/slowest/N/waited/reason",
    "/slowest/N/waited/replicas/N", "/slowest/N/waited/where", "/slowest_search/matched",
    "/slowest_search/missing",
    // watch_routing_test.cc: none of the patterns here reads and writes in one operation
    "/routing/osds/OSD/counters/op_rw",
    // watch_client_meter_test.cc; what the machine's interface is, and whether anything waits there
    "/client/counters/bytes_wait_s", "/client/counters/bytes_waits", "/client/counters/laggy",
    "/client/counters/ops_wait_s", "/client/counters/ops_waits", "/client/counters/resent",
    "/client/link_mbit_per_s", "/client/link_share", "/client/missing", "/client/throttle_share",
    // session_joint_test.cc, record_session_member_test.cc
    "/members/N/from_s", "/members/N/lost", "/members/N/missing", "/members/N/stands_out",
    // a slow machine does too few operations for them, see needed_for_p99
    "/members/N/p99_us", "/osds/OSD/counters/latencies/*/p99_below_us"};

constexpr int needed_for_p99 = 368;  // record/histogram.h: with fewer the p99 is unknown

bool says_nothing(const json& value) {
  if (value.is_number()) return value.get<double>() == 0;
  return value.is_null() || value.empty() || value == json(false) || value == json("");
}

class RecordKeys : public Runs {
 protected:
  json record_of(const std::string& pool, const std::string& pattern, std::vector<std::string> more,
                 const char* length = "3") {
    // Time: counters are read every five seconds, and twice in the longest of these runs.
    more.insert(more.end(), {"--time", length, "--format", "json", "--no-progress"});
    return take(run(pool, pattern, std::move(more)));
  }
  json take(const Finished& done) {
    EXPECT_EQ(done.status, 0) << done.err;
    json record = done.status == 0 ? json::parse(done.out) : json::object();
    const json flat = record.flatten();
    for (const auto& [path, value] : flat.items()) {
      if (!says_nothing(value))
        m_set.insert(std::regex_replace(path, std::regex("osd[.][0-9]+"), "OSD"));
    }
    return record;
  }
  static void expect(const json& record, const std::map<std::string, std::string>& values) {
    for (const auto& [path, pattern] : values) {
      const json::json_pointer place(path);
      ASSERT_TRUE(record.contains(place)) << path;
      EXPECT_THAT(record.at(place).dump(), testing::ContainsRegex(pattern)) << path;
    }
  }
  std::vector<std::string> never_set() const {
    std::vector<std::string> all;
    for (const std::string& key : SchemaKeys::of_a_run()) {
      const bool of_drive = key.starts_with("/environment/drive/");  // cli/drive_cli_test.cc
      // lab/test_lab_cephfs.py
      const bool of_files = key.starts_with("/environment/file_system/") || key == "/plan/fs";
      if (!of_clusters_only(key) || of_drive || of_files || set_elsewhere.contains(key)) continue;
      const bool is_set = std::any_of(m_set.begin(), m_set.end(), [&key](const auto& one) {
        return SchemaKeys::covers(key, one);
      });
      if (!is_set) all.push_back(key);
    }
    return all;
  }

  CephUser m_user{"keys", {"mon", "allow *", "mgr", "allow *", "osd", "allow *"}};
  std::set<std::string> m_set;
};

void expect_p99_where_known(const json& members) {
  for (const json& member : members) {
    const bool enough = member["ops"] >= needed_for_p99;
    EXPECT_EQ(member["p99_us"].is_number(), enough) << member.dump();
  }
}

void expect_p99_of_osds_where_known(const json& osds) {
  for (const json& osd : osds) {
    for (const json& latency : osd["counters"]["latencies"]) {
      const bool enough = latency["ops"] >= needed_for_p99;
      EXPECT_EQ(latency["p99_below_us"].is_number(), enough) << latency.dump();
    }
  }
}

std::string address_of_the_mon() {
  const json mon = ceph_json({"mon", "dump"})["mons"][0];
  const std::string address = mon["public_addr"];
  return address.substr(0, address.find('/'));
}

TEST_F(RecordKeys, ThatOnlyAClusterCanSetAreThereAndPlausible) {
  constexpr const char* count = "^[1-9][0-9]*$";
  // Counters are read again after five seconds; one reading alone has no figures.
  const json pinned = record_of("hdd", "randrw4k,size=4M,object-size=256k,qd=4",
                                {"--osd",
                                 "0,1",
                                 "--keep",
                                 "--allow-unhealthy",
                                 "--slowest",
                                 "5",
                                 "--rate",
                                 light_load,
                                 "--conf",
                                 cluster_conf(),
                                 "--name",
                                 "client." + m_user.id(),
                                 "--keyring",
                                 m_user.keyring(),
                                 "--mon-host",
                                 address_of_the_mon(),
                                 "--observer-id",
                                 m_user.id(),
                                 "--observer-keyring",
                                 m_user.keyring(),
                                 "--warmup",
                                 "2"},
                                "12");
  expect(pinned, {{"/environment/fsid", "^\"[0-9a-f-]{36}\"$"},
                  {"/environment/health", "^\"HEALTH_"},
                  {"/environment/osdmap_epoch", count},
                  {"/environment/pool/name", "^\"hdd\"$"},
                  {"/environment/pool/pg_num", count},
                  {"/environment/osds/0/pgs", count},
                  {"/plan/pool", "^\"hdd\"$"},
                  {"/plan/osd", "0,1"},
                  {"/plan/name", m_user.id()},
                  {"/plan/keyring", "keyring"},
                  {"/plan/observer-id", m_user.id()},
                  {"/plan/keep", "^true$"},
                  {"/plan/allow-unhealthy", "^true$"},
                  {"/routing/samples", count},
                  {"/osds/osd.0/counters/counts/op", count},
                  {"/osds/osd.0/share_ours", "^(0[.][0-9]+|1[.]0)$"},
                  {"/slowest/0/pg", "^\"[0-9]+[.][0-9a-f]+\"$"},
                  {"/client/interface", "^\"[a-z0-9]+\"$"},
                  {"/client/received_bytes", count},
                  {"/client/cpus", count}});
  if (HasFailure()) return;
  expect_p99_of_osds_where_known(pinned["osds"]);
  const std::string kept = pinned["run_id"];
  const json reused =
      record_of("hdd", "randrw4k,size=4M,object-size=256k,qd=4", {"--osd", "0,1", "--reuse", kept});
  expect(reused, {{"/plan/reuse", kept}});
  clean_up_kept("hdd");
  const json images = record_of("ssd", "randrw4k,size=4M,qd=4",
                                {"--create", "8M", "--data-pool", "ec-k2m1", "--rbd-cache"});
  expect(images, {{"/plan/data-pool", "^\"ec-k2m1\"$"},
                  {"/plan/rbd-cache", "^true$"},
                  {"/environment/images/0/size", count},
                  {"/environment/data_pool/k", "^2$"},
                  {"/environment/data_pool/m", "^1$"}});
  const json shards = record_of("ec-k2m1", "randrw4k,size=4M,qd=4", {});
  expect(shards, {{"/environment/pool/k", "^2$"}, {"/environment/pool/m", "^1$"}});
  Process other(launch({"join", "keys", "--pool", "ssd", "--wait", "2m"}));
  const json joint = record_of("ssd", "randrw4k,size=4M,qd=4",
                               {"--session", "keys", "--members", "2", "--wait", "2m"});
  expect(joint, {{"/plan/session", "^\"keys\"$"},
                 {"/plan/members", "2"},
                 {"/members/1/number", "^2$"},
                 {"/members/1/who", "^\"pid [0-9]+ on .+\"$"},
                 {"/members/1/run_id", "^\"[0-9]{8}-[0-9]{9}-[0-9a-f]{4}\"$"},
                 {"/members/1/until_s", "^(2[.]9|3)"},
                 {"/members/1/ops", count},
                 {"/members/1/clock_bound_us", "^[1-9]"}});
  expect_p99_where_known(joint["members"]);
  EXPECT_EQ(other.wait().status, 0);
  EXPECT_THAT(never_set(), testing::IsEmpty());
}

}  // namespace
}  // namespace radosload::test
