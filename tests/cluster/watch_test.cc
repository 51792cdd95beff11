// `radosload watch` and `radosload auth` on a real cluster: the OSDs count what a load does, with
// exactly the rights that are printed.
#include <csignal>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "cluster/printed_rights.h"
#include "support/cluster.h"
#include "support/exit_status.h"
#include "support/files.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// A watch that goes on until the test ends it, as JSON. Its log has a line for each reading.
class Watching {
 public:
  explicit Watching(std::vector<std::string> more = {})
      : m_process({.words = words(std::move(more)), .env = {{"CEPH_CONF", cluster_conf()}}}) {}

  // Waits until every OSD that is up has been read once more.
  testing::AssertionResult await_reading() {
    const std::size_t before = readings();
    return m_process.wait_for("another reading of the OSDs",
                              [&] { return Seen(readings() > before, read_file(m_log)); });
  }
  Finished end() {
    m_process.signal(SIGINT);
    Finished done = m_process.wait();
    EXPECT_EQ(done.status, interrupted) << done.err;
    return done;
  }

 private:
  std::vector<std::string> words(std::vector<std::string> more) const {
    // Time: until the test ends it.
    std::vector<std::string> all = {radosload_path(), "watch", "--time", "1h", "--interval", "1s",
                                    "--log-file",     m_log,   "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  // How often osd.0, which all tests leave up, has been read.
  std::size_t readings() const {
    const std::string log = std::filesystem::exists(m_log) ? read_file(m_log) : "";
    std::size_t found = 0;
    for (auto at = log.find(reading); at != std::string::npos; at = log.find(reading, at + 1)) {
      ++found;
    }
    return found;
  }

  static constexpr const char* reading = "osd.0: perf dump: ";
  TemporaryFolder m_folder;
  std::string m_log = (m_folder.path() / "log").string();
  Process m_process;
};

std::uint64_t ops_in(const json& document) {
  std::uint64_t ops = 0;
  for (const json& osd : document["osds"])
    ops += osd["counters"]["counts"]["op"].get<std::uint64_t>();
  return ops;
}

TEST(ClusterWatchCommand, WithThePrintedRights_CountsWhatALoadDoes) {
  const CephUser watcher = user_for("watch-printed", "watch");
  const CephUser loader = user_for("run-printed", "run", "ssd");
  Watching watch({"--id", watcher.id(), "--keyring", watcher.keyring()});
  ASSERT_TRUE(watch.await_reading());
  const Finished load = radosload_here(
      as_user(loader, {"--pool", "ssd", "--pattern", "randwrite4k,size=1M,object-size=256k,qd=4",
                       "--warmup", "0s", "--ops", "2000", "--json", "--no-progress"}));
  EXPECT_TRUE(watch.await_reading());
  EXPECT_TRUE(watch.await_reading()) << "begun after the load";
  const Finished watched = watch.end();
  ASSERT_EQ(load.status, 0) << load.err;
  const json document = json::parse(watched.out);
  EXPECT_EQ(document["schema"], "radosload.watch/1");
  EXPECT_EQ(document["status"], "interrupted");
  const double watched_s = document["watched_s"];
  const json record = json::parse(load.out);
  EXPECT_GE(ops_in(document), record["totals"]["write"]["ops"].get<std::uint64_t>());
  for (const json& osd : document["osds"]) {
    const json& counters = osd["counters"];
    EXPECT_EQ(counters["missing"], "");
    EXPECT_FALSE(counters["kind"].is_null());
    EXPECT_GE(counters["from_s"].get<double>(), 0);
    EXPECT_LT(counters["from_s"].get<double>(), counters["to_s"].get<double>());
    EXPECT_GE(watched_s, record["measured_s"].get<double>());
    // The OSD's own mean and its own histogram are of the same operations.
    const json& latency = counters["latencies"]["write"];
    const json& mean = counters["times"]["op_w_latency"];
    // The two are read one after the other.
    EXPECT_NEAR(latency["ops"].get<double>(), mean["count"].get<double>(), 16) << latency;
    if (mean["count"] < 100) continue;
    EXPECT_GT(latency["p50_below_us"].get<double>(), mean["mean_us"].get<double>() / 8);
    EXPECT_LT(latency["p50_below_us"].get<double>(), mean["mean_us"].get<double>() * 8);
  }
  EXPECT_EQ(watched.err, "") << "no live view in a file";
  EXPECT_EQ(document["grade"]["value"], "clean") << document["grade"];
}

TEST(ClusterWatchCommand, ACompactionContaminatesItWithItsOsdAndTime) {
  await_clean();
  Watching watch;
  ASSERT_TRUE(watch.await_reading());
  ASSERT_EQ(ceph({"tell", "osd.1", "compact"}).status, 0);
  EXPECT_TRUE(watch.await_reading());
  const Finished done = watch.end();
  const json grade = json::parse(done.out)["grade"];
  EXPECT_EQ(grade["value"], "contaminated") << grade;
  EXPECT_THAT(grade["reasons"].dump(), HasSubstr("osd.1 compacted RocksDB (a compaction was"));
  EXPECT_THAT(grade["reasons"].dump(), Not(HasSubstr("osd.0 compacted")));
}

TEST(ClusterWatchCommand, WithoutRightsOnTheMgr_ItIsNotGraded) {
  const CephUser watcher("watch-no-mgr", {"mon", "allow r", "osd", "allow *"});
  // Time: it is compared with the time that the watch took.
  const Finished done = radosload_here(as_user(watcher, {"watch", "--time", "3s", "--json"}));
  EXPECT_EQ(done.status, 0) << done.err;
  const json document = json::parse(done.out);
  EXPECT_EQ(document["status"], "complete");
  EXPECT_GE(document["watched_s"].get<double>(), 3);
  EXPECT_LE(document["watched_s"].get<double>(), done.seconds);
  const json& grade = document["grade"];
  EXPECT_EQ(grade["value"], "unwatched") << grade;
  EXPECT_THAT(grade["reasons"].dump(), HasSubstr("what the mgr shows was not watched"));
}

TEST(ClusterWatchCommand, TheTableHasTheChosenOsdsOnly) {
  // Time: it is shown.
  const Finished watched = radosload_here({"watch", "--osd", "0", "--time", "2s"});
  EXPECT_EQ(watched.status, 0) << watched.err;
  EXPECT_THAT(watched.out, AllOf(HasSubstr("one OSD"), HasSubstr("over 2"), HasSubstr("osd.0"),
                                 Not(HasSubstr("osd.1"))));
}

TEST(ClusterWatchCommand, CtrlC_EndsItWithTheTableSoFar) {
  // Time: until the test ends it.
  Process watch({.words = {radosload_path(), "watch", "--time", "1h", "--interval", "1s"},
                 .env = {{"CEPH_CONF", cluster_conf()}, {"TERM", "xterm"}},
                 .err = Sink::terminal});
  ASSERT_TRUE(watch.wait_for_output("figures of the last 1 s"));
  watch.signal(SIGINT);
  const Finished done = watch.wait();
  EXPECT_EQ(done.status, interrupted);
  EXPECT_THAT(done.out, AllOf(HasSubstr("osd.0"), HasSubstr("interrupted before its time")));
}

TEST(ClusterWatchCommand, WithoutTheRights_SaysWhichCommandPrintsThem) {
  const CephUser reader = user_for("watch-reader", "osds");
  // Time: none passes; it is refused before.
  const Finished denied = radosload_here(as_user(reader, {"watch", "--time", "2s"}));
  EXPECT_EQ(denied.status, no_cluster);
  // 16.2.15 refuses it; an OSD of 18.2.7 does not answer a key without osd caps.
  EXPECT_THAT(denied.err, AnyOf(HasSubstr("EACCES"), HasSubstr("ETIMEDOUT")));
  EXPECT_THAT(denied.err, HasSubstr("'radosload auth watch'"));
  EXPECT_EQ(denied.out, "");
}

TEST(ClusterWatchCommand, UnknownOsds_AreRefusedByName) {
  // Time: none passes; it is refused before.
  const Finished unknown = radosload_here({"watch", "--osd", "0,999", "--time", "2s"});
  EXPECT_EQ(unknown.status, no_cluster);
  EXPECT_THAT(unknown.err, HasSubstr("999"));
}

TEST(ClusterWatchCommand, RestartedOsd_IsReportedAndDownOsdIsRefused) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be stopped";
  Watching watch;
  ASSERT_TRUE(watch.await_reading());
  ASSERT_EQ(lab({"osd", "stop", "1"}).status, 0);
  EXPECT_EQ(ceph({"osd", "down", "1"}).status, 0);
  // Time: none passes; it is refused before.
  const Finished down = radosload_here({"watch", "--osd", "1", "--time", "2s"});
  // Time: the shortest will do.
  const Finished others = radosload_here({"watch", "--time", "1s"});
  ASSERT_EQ(lab({"osd", "start", "1"}).status, 0);
  await_clean();
  EXPECT_TRUE(watch.await_reading());
  const Finished done = watch.end();
  EXPECT_EQ(down.status, no_cluster);
  EXPECT_THAT(down.err, AllOf(HasSubstr("osd.1"), HasSubstr("down")));
  EXPECT_EQ(others.status, 0) << others.err;
  EXPECT_THAT(others.out, HasSubstr("not watched, because down: OSDs 1"));
  const json document = json::parse(done.out);
  for (const auto& [name, osd] : document["osds"].items()) {
    const std::string missing = osd["counters"]["missing"];
    EXPECT_THAT(missing, name == "osd.1" ? HasSubstr("it was restarted") : HasSubstr("")) << name;
    EXPECT_EQ(missing.empty(), name != "osd.1") << name;
  }
  EXPECT_EQ(document["grade"]["value"], "contaminated");
  EXPECT_THAT(document["grade"]["reasons"].dump(), HasSubstr("osd.1 went down"));
}

}  // namespace
}  // namespace radosload::test
