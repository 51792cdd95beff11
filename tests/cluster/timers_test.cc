// `radosload time` on a real cluster: figures agree with what Ceph says. Restarts are in
// restarts_test.cc.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <ctime>

#include "cluster/osd_times.h"
#include "support/pool.h"
#include "support/settled.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

TEST_F(OsdTimes, Bench_WritesWhatOsdsAllowInTheOrderOfItsSeed) {
  const json document =
      time_json({"bench", "--osd", "0,1", "--bs", "4k", "--rounds", "2", "--seed", "5"});
  ASSERT_EQ(document["rows"].size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const json& row = document["rows"][i];
    EXPECT_EQ(row["osd"], document["turns"][i]["osd"]);
    EXPECT_EQ(row["bench"]["written_bytes"], 12288000);
    EXPECT_GT(row["bench"]["iops"], 0);
    EXPECT_LE(row["bench"]["in_osd_s"], row["elapsed_s"]);
  }
  // It is saved as it was printed.
  const Finished again = here({"report", document["id"], "--json"});
  EXPECT_EQ(json::parse(again.out, nullptr, false), document) << again.err;
  EXPECT_EQ(document["fsid"], ceph_json({"fsid"})["fsid"]);
  const Finished more = time({"bench", "--osd", "0", "--bs", "4k", "--bytes", "40M"});
  EXPECT_EQ(more.status, flawed);
  EXPECT_THAT(more.out, AllOf(HasSubstr("12288000"), HasSubstr("11.7 MiB")));
}

TEST_F(OsdTimes, CompactHasTheBytesOfRocksDbBeforeAndAfter) {
  const json row = time_json({"compact", "--osd", "0"})["rows"][0];
  const json& compact = row["compact"];
  EXPECT_LE(compact["in_osd_s"], row["elapsed_s"]);
  const json dump = ceph_json({"tell", "osd.0", "perf", "dump", "bluefs"})["bluefs"];
  EXPECT_GT(compact["before_bytes"], 0);
  EXPECT_GE(compact["in_osd_s"], 0);
  const double more = dump["db_used_bytes"].get<double>() + dump["wal_used_bytes"].get<double>() -
                      compact["after_bytes"].get<double>();
  // RocksDB allocates its next log when it first writes to it, which may be after the command has
  // ended.
  constexpr double next_log = 1.1 * 256 * 1024 * 1024;
  EXPECT_LT(std::min(std::abs(more), std::abs(more - next_log)), 64e6) << more;
}

TEST_F(OsdTimes, CompactWithAPool_TimesReadsBeforeAndMeanwhileAndLeavesNothing) {
  const json document = time_json({"compact", "--osd", "0,3", "--pool", "ssd"});
  for (const json& row : document["rows"]) {
    const json& probe = row["compact"]["probe"];
    EXPECT_EQ(probe["pool"], "ssd");
    for (const char* const when : {"before", "during"}) {
      const json& reads = probe[when];
      EXPECT_GT(reads["reads"], 0) << probe;
      EXPECT_EQ(reads["failed"], 0) << probe;
      EXPECT_GT(reads["mean_us"], 0) << probe;
      EXPECT_LE(reads["mean_us"], reads["max_us"]) << probe;
    }
  }
  EXPECT_EQ(names_in("ssd"), "");
  EXPECT_THAT(here({"report", document["id"]}).out, HasSubstr("Reads of 4 KiB in pool ssd"));
  const Finished nowhere = time({"compact", "--osd", "0", "--pool", "nosuch"});
  EXPECT_EQ(nowhere.status, no_cluster);
  EXPECT_THAT(nowhere.err, HasSubstr("nosuch"));
}

TEST_F(OsdTimes, KilledInTheMiddleOfAProbe_CleanupFindsItsObjectsAndTheRowIsCutOff) {
  Process process(launch({"time", "compact", "--osd", "0", "--pool", "ssd", "--no-progress"}));
  const auto connection = connect_here();
  librados::IoCtx pool = open_pool(*connection, "ssd");
  ASSERT_TRUE(process.wait_for("objects of the probe",
                               [&] { return pool.nobjects_begin() != pool.nobjects_end(); }));
  process.signal(SIGKILL);
  process.wait();
  EXPECT_NE(names_in("ssd"), "");
  const std::string id = json::parse(here({"list", "--json"}).out)["entries"][0]["id"];
  EXPECT_THAT(here({"report", id}).out, HasSubstr("osd.0, round 1: cut off"));
  const Finished cleanup = radosload_here({"cleanup", "--yes", "--pool", "ssd"});
  EXPECT_EQ(cleanup.status, 0) << cleanup.err;
  EXPECT_THAT(cleanup.out, HasSubstr(id));
  EXPECT_EQ(names_in("ssd"), "");
}

TEST_F(OsdTimes, ScrubEndsAtCephsOwnLastStamp) {
  // Otherwise an OSD lets most chances to begin a scrub pass, and its 16 PGs take a minute.
  ceph({"config", "set", "osd.0", "osd_scrub_backoff_ratio", "0"});
  const json document = time_json({"scrub", "--osd", "0", "--limit", "3m"});
  ceph({"config", "rm", "osd.0", "osd_scrub_backoff_ratio"});
  const json& row = document["rows"][0];
  const json& scrub = row["scrub"];
  EXPECT_EQ(scrub["done"], scrub["pgs"]);
  EXPECT_NEAR(scrub["queued_s"].get<double>() + scrub["work_s"].get<double>(),
              scrub["total_s"].get<double>(), 0.01);
  std::string last;
  const json pgs = ceph_json({"pg", "ls-by-primary", "osd.0"});
  for (const json& pg : pgs["pg_stats"]) last = std::max(last, std::string(pg["last_scrub_stamp"]));
  const auto at = [](const std::string& text) {
    std::tm parts{};
    ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    return static_cast<double>(::timegm(&parts));
  };
  EXPECT_NEAR(at(last) - at(row["began"]), scrub["total_s"].get<double>(), 2);
  EXPECT_GE(row["elapsed_s"], scrub["total_s"]);
}

TEST_F(OsdTimes, ScrubNotDoneInTime_HasTheReasonAndKeepsWhatWasMeasured) {
  const Finished done = time({"scrub", "--osd", "0", "--limit", "1s"});
  EXPECT_EQ(done.status, flawed) << done.out;
  EXPECT_THAT(done.out, AllOf(HasSubstr("not scrubbed within"), HasSubstr("PGs: ")));
  const std::string path = done.out.substr(done.out.rfind('/') + 1);
  const std::string id = path.substr(0, path.find(".json"));
  const Finished kept = here({"report", id});
  EXPECT_EQ(kept.out, done.out) << kept.err;
  EXPECT_THAT(here({"list"}).out, AllOf(HasSubstr(id), HasSubstr("0 of 1")));
}

TEST_F(OsdTimes, AnExistingFileIsRefusedBeforeAnythingIsDoneAndSaveNoneSavesNothing) {
  const TemporaryFolder folder;
  const std::string file = folder.with("one.json", "mine");
  const Finished kept = time({"bench", "--osd", "0", "--bs", "4k", "--save", file});
  EXPECT_EQ(kept.status, refused) << kept.err;
  EXPECT_EQ(read_file(file), "mine");
  const json document =
      time_json({"bench", "--osd", "0", "--bs", "4k", "--save", file, "--overwrite"});
  EXPECT_EQ(json::parse(read_file(file), nullptr, false), document);
  EXPECT_EQ(json::parse(here({"report", file, "--json"}).out, nullptr, false), document);
  EXPECT_NE(here({"report", document["id"]}).status, 0) << "it is not in the store too";
  const json unsaved = time_json({"bench", "--osd", "0", "--bs", "4k", "--save", "none"});
  EXPECT_NE(here({"report", unsaved["id"]}).status, 0);
}

TEST_F(OsdTimes, BackfillOnlyWatchesAndAnIdleClusterHasNothingLeft) {
  await_clean();
  const json backfill =
      time_json({"backfill", "--osd", "0", "--limit", "2m"})["rows"][0]["backfill"];
  EXPECT_EQ(backfill["copies_left"], 0);
  EXPECT_EQ(backfill["convert_osds"], json::array({0}));
  EXPECT_GT(backfill["convert_bytes"], 0);
}

TEST_F(OsdTimes, PgsOfNamedPoolsMayBeOfflineDuringARestart) {
  if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be stopped";
  await_clean();
  const json row = time_json(
      {"peering", "--osd", "0", "--how", "down", "--yes", "--offline-pools", "hdd1"})["rows"][0];
  EXPECT_GT(row["peering"]["active_s"], 0) << row;
}

TEST_F(OsdTimes, UnknownAndDownOsdsMissingYesAndUnsafeStops_AreRefused) {
  EXPECT_EQ(time({"scrub", "--osd", "99"}).status, no_cluster);
  if (!on_lab()) return;
  // The pool of size 1.
  const Finished unsafe = time({"peering", "--osd", "0", "--how", "down", "--yes"});
  EXPECT_EQ(unsafe.status, refused) << unsafe.err;
  EXPECT_THAT(unsafe.err, HasSubstr("ok-to-stop"));
  EXPECT_THAT(unsafe.err, HasSubstr("--offline-pools hdd1"));
  const Finished dry = time({"compact", "--osd", "0,1", "--dry-run"});
  EXPECT_EQ(dry.status, 0);
  EXPECT_THAT(dry.out, AllOf(HasSubstr("ceph tell osd.0 compact"), HasSubstr("osd.1")));
  ASSERT_EQ(lab({"osd", "stop", "1"}).status, 0);
  EXPECT_EQ(ceph({"osd", "down", "1"}).status, 0);
  const Finished down = time({"compact", "--osd", "0,1"});
  ASSERT_EQ(lab({"osd", "start", "1"}).status, 0);
  await_clean();
  EXPECT_EQ(down.status, no_cluster);
  EXPECT_THAT(down.err, HasSubstr("osd.1"));
}

}  // namespace
}  // namespace radosload::test
