// Where slow operations waited, as a real cluster tells it: an OSD is paused in mid-run.
#include <algorithm>
#include <csignal>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/osd_processes.h"
#include "cluster/runs.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;

constexpr const char* paused_osd = "osd.1";

class SlowOperations : public Runs {
 protected:
  void TearDown() override {
    if (on_lab()) await_clean();
  }
  // The record of a run with an observer, during which osd.1 stands still for 4 s.
  json paused_run(const std::string& pattern, std::vector<std::string> more) const {
    const CephUser observer("slowwatcher", {"mon", "allow r", "mgr", "allow r", "osd", "allow *"});
    more.insert(more.end(), {"--format", "json", "--observer-id", observer.id(),
                             "--observer-keyring", observer.keyring()});
    const auto osd = pids_of_osds({"1"});
    Process process(launch(words("hdd", pattern, until_ended(std::move(more)))));
    EXPECT_TRUE(await_second(process, 2));
    {
      const Stopped stopped(osd);
      // Time: for so long its operations wait. After 8 s without a read lease PGs may stay laggy.
      std::this_thread::sleep_for(seconds(4));
    }
    EXPECT_TRUE(await_more_seconds(process, 3)) << "they are answered, and looked for";
    process.signal(SIGINT);
    const Finished done = process.wait();
    if (done.status != interrupted) throw std::runtime_error(done.err);
    return json::parse(done.out);
  }
};

// Whether the record says that this operation waited for the paused OSD, as primary or as replica.
bool names_it(const json& op) {
  const json& waited = op["waited"];
  if (waited.is_null()) return false;
  if (waited["where"] == "replica") return waited["replicas"] == json::array({paused_osd});
  return op["osd"] == paused_osd;
}

TEST_F(SlowOperations, PausedOsd_IsNamedAsWhereTheyWaited) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be paused";
  const json record = paused_run("randwrite4k,size=4M,object-size=64k,qd=8", {});
  const json& slowest = record["slowest"];
  ASSERT_EQ(slowest.size(), 10U);
  EXPECT_GT(slowest[0]["response_us"].get<double>(), 2e6);
  const auto slow = std::count_if(slowest.begin(), slowest.end(), [](const json& op) {
    return op["response_us"].get<double>() > 2e6;
  });
  const auto named = std::count_if(slowest.begin(), slowest.end(), names_it);
  EXPECT_GE(named, std::max<std::ptrdiff_t>(1, slow / 2)) << slowest.dump(1);
  EXPECT_FALSE(record["slowest_search"].is_null());
  EXPECT_FALSE(record["slowest_search"]["clocks"].empty());
}

// All operations go to osd.0, so none can have waited for the paused OSD as its primary.
TEST_F(SlowOperations, PausedReplica_IsTheOneNamedAndNoOther) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be paused";
  const json record = paused_run("randwrite4k,size=16M,object-size=64k,qd=2", {"--osd", "0"});
  int slow = 0;
  int named = 0;
  for (const json& op : record["slowest"]) {
    if (op["response_us"].get<double>() < 2e6) continue;
    ++slow;
    EXPECT_EQ(op["osd"], "osd.0");
    if (op["waited"].is_null()) continue;
    ++named;
    EXPECT_EQ(op["waited"]["where"], "replica") << op;
    EXPECT_EQ(op["waited"]["replicas"], json::array({paused_osd})) << op;
  }
  EXPECT_GE(slow, 1) << record["slowest"].dump(1);
  EXPECT_GE(2 * named, slow) << record["slowest"].dump(1);
}

TEST_F(SlowOperations, QuietRun_ListsThemAndWhatTheClientTook) {
  const CephUser observer("slowwatcher", {"mon", "allow r", "mgr", "allow r", "osd", "allow *"});
  const Finished done = run("ssd", "randrw4k,size=4M",
                            {"--slowest", "3", "--format", "json", "--observer-id", observer.id(),
                             "--observer-keyring", observer.keyring()});
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  ASSERT_EQ(record["slowest"].size(), 3U);
  for (const json& op : record["slowest"]) {
    EXPECT_THAT(op["object"].get<std::string>(), testing::StartsWith("radosload."));
    EXPECT_TRUE(op["pg"].is_string() && op["osd"].is_string()) << op;
  }
  const json& client = record["client"];
  EXPECT_TRUE(client["interface"].is_string()) << client;
  EXPECT_TRUE(client["cpu_share"].is_number()) << client;
  EXPECT_TRUE(client["counters"].is_object()) << client;
  EXPECT_EQ(client["clients"], 1) << client;
  EXPECT_LT(client["throttle_share"].get<double>(), 0.9) << client;
}

}  // namespace
}  // namespace radosload::test
