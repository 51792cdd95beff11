// Scratch pools on a real cluster: bound to their OSDs, of one copy, and gone without a trace, also
// when their maker was killed.

#include <algorithm>
#include <csignal>
#include <set>

#include "cluster/runs.h"
#include "support/ceph_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// All that a scratch pool changes: pools, rules, weight sets, upmaps.
std::string traces() {
  const json dump = ceph_json({"osd", "dump"});
  json seen = {{"upmaps", dump["pg_upmap"]}, {"items", dump["pg_upmap_items"]}};
  for (const json& pool : dump["pools"]) seen["pools"].push_back(pool["pool_name"]);
  const json crush = ceph_json({"osd", "crush", "dump"});
  for (const char* const part : {"rules", "choose_args", "buckets", "devices"}) {
    seen[part] = crush[part];
  }
  return seen.dump(1);
}

class ScratchPools : public Runs {
 protected:
  void SetUp() override { m_before = traces(); }
  void TearDown() override {
    radosload_here({"cleanup", "--scratch", "--pool", full_name(), "--force", "--yes"});
    EXPECT_EQ(traces(), m_before);
  }
  static std::string name() { return fmt::format("test-{}", ::getpid()); }
  static std::string full_name() { return "radosload-scratch-" + name(); }
  // Some OSDs of one root that are up and in: two at most.
  static std::vector<int> some_osds() {
    std::vector<int> ids;
    const json osds = json::parse(radosload_here({"osds", "--json"}).out);
    std::string root;
    for (const json& osd : osds["osds"]) {
      if (osd["up"] != true || osd["in"] != true || !osd["location"].contains("root")) continue;
      if (root.empty()) root = osd["location"]["root"];
      if (osd["location"]["root"] == root && ids.size() < 2) ids.push_back(osd["id"]);
    }
    return ids;
  }
  static Finished scratch(std::vector<std::string> words) {
    words.insert(words.begin(), "scratch");
    return radosload_here(std::move(words));
  }
  static std::vector<std::string> creation(const std::string& osds) {
    return {"create", name(), "--osd", osds, "--yes", "--no-progress", "--json"};
  }
  static json listed() {
    const json document = json::parse(scratch({"list", "--json"}).out);
    for (const json& pool : document["pools"]) {
      if (pool["name"] == full_name()) return pool;
    }
    return {};
  }
  // Which OSDs the pool's PGs are on, by the mgr.
  static std::set<int> osds_of_pgs() {
    std::set<int> osds;
    const json pgs = ceph_json({"pg", "ls-by-pool", full_name()});
    for (const json& pg : pgs["pg_stats"]) {
      for (const json& osd : pg["acting"]) osds.insert(osd.get<int>());
      EXPECT_EQ(pg["acting"].size(), 1U) << pg["pgid"];
    }
    return osds;
  }

 private:
  std::string m_before;
};

TEST_F(ScratchPools, OnOneOsdHaveEveryPgThereAndEveryWriteAndLeaveNothing) {
  const int osd = some_osds().front();
  const Finished made = scratch(creation(std::to_string(osd)));
  ASSERT_EQ(made.status, 0) << made.err;
  const json pool = json::parse(made.out)["pools"][0];
  EXPECT_EQ(pool["state"], "ready");
  EXPECT_EQ(pool["size"], 1);
  EXPECT_EQ(osds_of_pgs(), std::set<int>{osd});
  const Finished done = run(full_name(), "randwrite4k,size=4M,object-size=256k",
                            {"--osd", std::to_string(osd), "--format", "json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  EXPECT_EQ(record["osds"].size(), 1U);
  EXPECT_EQ(record["environment"]["osds"][0]["acting"], json::array({std::to_string(osd)}));
  const Finished unsaid =
      radosload_here({"cleanup", "--scratch", "--pool", full_name(), "--force"});
  EXPECT_EQ(unsaid.status, refused) << unsaid.err;
  EXPECT_THAT(unsaid.err, HasSubstr("--yes"));
  EXPECT_FALSE(listed().is_null());
  const Finished gone = scratch({"destroy", name(), "--yes"});
  EXPECT_EQ(gone.status, 0) << gone.err << gone.out;
}

TEST_F(ScratchPools, OnTwoOsdsAreSharedEquallyWithAnUpmapForEveryPg) {
  const std::vector<int> osds = some_osds();
  ASSERT_EQ(osds.size(), 2U) << "this cluster has but one OSD";
  const Finished made = scratch(creation(fmt::format("{},{}", osds[0], osds[1])));
  ASSERT_EQ(made.status, 0) << made.err;
  const json pool = json::parse(made.out)["pools"][0];
  EXPECT_EQ(pool["pgs_by_osd"][std::to_string(osds[0])],
            pool["pgs_by_osd"][std::to_string(osds[1])]);
  EXPECT_EQ(osds_of_pgs(), std::set<int>(osds.begin(), osds.end()));
  const json alike = json::parse(radosload_here({"osds", "--json"}).out)["osds"];
  const auto of_class = std::count_if(alike.begin(), alike.end(), [&](const json& osd) {
    return osd["class"] == alike[0]["class"] && osd["in"] == true;
  });
  if (of_class > 2) {
    // A PG without one would be the balancer's to move.
    EXPECT_EQ(pool["upmaps"], pool["pg_num"]);
  }
  const Finished done =
      run(full_name(), "randwrite4k,size=1M,object-size=256k",
          {"--osd", fmt::format("{},{}", osds[0], osds[1]), "--each", "--rounds", "1"});
  EXPECT_EQ(done.status, 0) << done.err;
  for (const int osd : osds) EXPECT_THAT(done.out, HasSubstr(fmt::format("osd.{}", osd)));
}

TEST_F(ScratchPools, WithoutYes_AreNeitherCreatedNorDestroyed) {
  const std::string osd = std::to_string(some_osds().front());
  const Finished refusal = scratch({"create", name(), "--osd", osd});
  EXPECT_EQ(refusal.status, refused);
  EXPECT_THAT(refusal.out, HasSubstr(full_name()));
  EXPECT_THAT(refusal.err, HasSubstr("--yes"));
  EXPECT_TRUE(listed().is_null());
  ASSERT_EQ(scratch(creation(osd)).status, 0);
  EXPECT_EQ(scratch({"destroy", name()}).status, refused);
  EXPECT_FALSE(listed().is_null());
  EXPECT_EQ(scratch(creation(osd)).status, refused) << "there is one of that name";
  // What others put there is theirs.
  ASSERT_EQ(test::run({.words = {"rados", "--conf", cluster_conf(), "-p", full_name(), "put",
                                 "theirs", "/etc/hostname"},
                       .env = {{"CEPH_ARGS", ""}}})
                .status,
            0);
  const Finished held = scratch({"destroy", name(), "--yes"});
  EXPECT_EQ(held.status, refused);
  EXPECT_THAT(held.out, HasSubstr("'theirs'"));
  EXPECT_EQ(scratch({"destroy", name(), "--yes", "--force"}).status, 0);
}

TEST_F(ScratchPools, WithAKeptDataSet_AreNotRemoved) {
  ASSERT_EQ(scratch(creation(std::to_string(some_osds().front()))).status, 0);
  const Finished kept = run(full_name(), "randread4k,size=1M,object-size=256k", {"--keep"});
  ASSERT_EQ(kept.status, 0) << kept.err;
  const Finished held = radosload_here({"cleanup", "--yes", "--scratch", "--pool", full_name()});
  EXPECT_EQ(held.status, 0) << held.err;
  EXPECT_THAT(held.out, HasSubstr("is kept in it"));
  EXPECT_FALSE(listed().is_null());
  EXPECT_EQ(clean_up_kept(full_name()).status, 0);
  const Finished gone = radosload_here({"cleanup", "--yes", "--scratch", "--pool", full_name()});
  EXPECT_EQ(gone.status, 0) << gone.err;
  EXPECT_TRUE(listed().is_null());
}

TEST_F(ScratchPools, CreatorWasKilled_CleanupFindsAndRemovesThem) {
  std::vector<std::string> words = {
      "scratch", "create", name(), "--osd", std::to_string(some_osds().front()), "--yes"};
  for (const char* const moment :
       {"scratch: creating the pool", "scratch: binding its PGs to their OSDs"}) {
    Process process(launch(words));
    ASSERT_TRUE(process.wait_for_output(moment));
    process.signal(SIGKILL);
    process.wait();
    const Finished cleaned =
        radosload_here({"cleanup", "--yes", "--scratch", "--pool", full_name()});
    EXPECT_EQ(cleaned.status, 0) << cleaned.err << cleaned.out;
    EXPECT_THAT(scratch({"list", "--json"}).out, Not(HasSubstr(full_name()))) << moment;
  }
}

TEST_F(ScratchPools, CreationInterrupted_IsUndone) {
  Process process(launch({"scratch", "create", name(), "--osd", std::to_string(some_osds().front()),
                          "--yes", "--pg-num", "32"}));
  ASSERT_TRUE(process.wait_for_output("binding its PGs to their OSDs"));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.err, HasSubstr("has removed what it had created"));
  EXPECT_TRUE(listed().is_null());
}

TEST_F(ScratchPools, TerminalClosesDuringCreation_IsUndoneOrCompleted) {
  const std::vector<std::string> words = {
      "scratch", "create",   name(), "--osd", std::to_string(some_osds().front()),
      "--yes",   "--pg-num", "32"};
  for (const Sink terminal : {Sink::own_terminal, Sink::terminal}) {
    Launch given = launch(words);
    given.err = terminal;
    Process process(std::move(given));
    ASSERT_TRUE(process.wait_for_output("binding its PGs to their OSDs"));
    process.hang_up();
    const bool hears = terminal == Sink::own_terminal;
    EXPECT_EQ(process.wait().status, hears ? interrupted : 0);
    EXPECT_EQ(listed().is_null(), hears);
  }
  const Finished gone = radosload_here({"cleanup", "--yes", "--scratch", "--pool", full_name()});
  EXPECT_EQ(gone.status, 0) << gone.err;
}

TEST_F(ScratchPools, NeedTheRightsInTheHelpAndNameMissingOnes) {
  const std::string osd = std::to_string(some_osds().front());
  const CephUser reader("scratchreader", {"mon", "allow r", "mgr", "allow r"});
  std::vector<std::string> words = creation(osd);
  words.insert(words.end(), {"--id", reader.id(), "--keyring", reader.keyring()});
  const Finished denied = scratch(words);
  EXPECT_EQ(denied.status, no_cluster);
  EXPECT_THAT(denied.err, HasSubstr("mon 'allow r, allow service osd rw'"));
  const CephUser maker("scratchmaker", {"mon", "allow r, allow service osd rw", "mgr", "allow r",
                                        "osd", "allow rw tag radosload scratch=*"});
  words.resize(words.size() - 4);
  words.insert(words.end(), {"--id", maker.id(), "--keyring", maker.keyring()});
  const Finished made = scratch(words);
  EXPECT_EQ(made.status, 0) << made.err;
  const Finished load = run(full_name(), "randwrite4k,size=1M,object-size=256k",
                            {"--id", maker.id(), "--keyring", maker.keyring()});
  EXPECT_EQ(load.status, 0) << load.err;
  const Finished gone =
      scratch({"destroy", name(), "--yes", "--id", maker.id(), "--keyring", maker.keyring()});
  EXPECT_EQ(gone.status, 0) << gone.err << gone.out;
}

}  // namespace
}  // namespace radosload::test
