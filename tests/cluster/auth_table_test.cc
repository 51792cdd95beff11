// Every feature that `radosload auth` lists, used by a user with exactly the rights that it prints.
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/printed_rights.h"
#include "cluster/runs.h"
#include "support/cluster.h"
#include "support/exit_status.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using Words = std::vector<std::string>;

// What is done with a feature; the commands end with status 0.
struct FeatureUse {
  std::vector<Words> commands;
  std::string pool = {};  // that the rights are for
};

Words load_on(const std::string& pool, const std::string& pattern, const Words& more = {}) {
  Words words = few_operations(
      {"--pool", pool, "--pattern", pattern, "--warmup", "0s", "--save", "none", "--no-progress"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Used with their printed rights by ClusterWatchCommand.WithThePrintedRights_CountsWhatALoadDoes,
// OsdRestarts.ARestartIsTimedPhaseByPhase, ClusterProbe and lab/test_lab_cephfs.py, and the scrub
// and the observer below.
std::set<std::string> elsewhere() {
  return {"run", "watch", "time-peering", "time-scrub", "counters", "probe", "files"};
}

const char* const small_pattern = "randwrite4k,size=4M,object-size=64k,qd=4";

std::map<std::string, FeatureUse> feature_uses() {
  const Words pool = {"scratch", "create", "printed", "--osd", "0", "--yes", "--no-progress"};
  return {
      {"cleanup", {{{"cleanup", "--pool", "ssd", "--yes"}}, "ssd"}},
      {"pinning", {{load_on("hdd", small_pattern, {"--osd", "0"})}, "hdd"}},
      {"replicas",
       {{few_operations({"replicas", "--pool", "ssd", "--pattern",
                         "randwrite4k,object-size=4k,size=2M,qd=16", "--warmup", "0",
                         "--no-progress"})},
        "ssd"}},
      {"images", {{load_on("ssd", "randwrite4k,qd=1,size=4M", {"--create", "16M"})}, "ssd"}},
      {"status", {{{"status"}}}},
      {"osds", {{{"osds"}}}},
      {"time-backfill", {{{"time", "backfill", "--limit", "2m", "--save", "none"}}}},
      {"scratch", {{pool, {"scratch", "destroy", "printed", "--yes", "--no-progress"}}}},
      {"cleanup-flags", {{{"cleanup", "--flags", "--yes"}}}},
      {"time-compact", {{{"time", "compact", "--osd", "0", "--pool", "ssd", "--save", "none"}}}},
      {"time-bench", {{{"time", "bench", "--osd", "0", "--bs", "4k", "--save", "none"}}}}};
}

TEST(PrintedRights, EveryFeatureOfTheTableWorksWithExactlyItsRights) {
  const auto uses = feature_uses();
  const auto all = nlohmann::json::parse(radosload({"auth", "--json"}).out)["features"];
  for (const auto& rights : all) {
    const std::string feature = rights["feature"];
    if (elsewhere().contains(feature)) continue;
    const auto use = uses.find(feature);
    ASSERT_NE(use, uses.end()) << feature << " has no use here";
    const CephUser user = user_for("printed-" + feature, feature, use->second.pool);
    for (const Words& words : use->second.commands) {
      const Finished done = radosload_here(as_user(user, words));
      EXPECT_EQ(done.status, 0) << feature << ": " << words[0] << "\n" << done.err;
      EXPECT_THAT(done.err, testing::Not(testing::HasSubstr("EACCES"))) << feature;
    }
  }
}

TEST(PrintedRights, Observer_ReadsCountersWithExactlyTheirRights) {
  const CephUser user = user_for("printed-counters", "counters");
  const Finished done = radosload_here(
      load_on("ssd", small_pattern,
              {"--json", "--observer-id", user.id(), "--observer-keyring", user.keyring()}));
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, testing::Not(testing::HasSubstr("EACCES")));
}

// An order that takes long is given, and not waited for.
TEST(PrintedRights, Scrub_IsStartedWithExactlyItsRights) {
  const CephUser user = user_for("printed-scrub", "time-scrub");
  const Finished done = radosload_here(
      as_user(user, {"time", "scrub", "--osd", "0", "--limit", "1s", "--save", "none"}));
  EXPECT_EQ(done.status, flawed) << done.err;
  EXPECT_THAT(done.out, testing::HasSubstr("not scrubbed within"));
}

}  // namespace
}  // namespace radosload::test
