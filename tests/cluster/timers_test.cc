// `radosload time` on a real cluster: figures agree with what Ceph says, and the flag noout never
// stays behind.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <ctime>
#include <thread>

#include "cluster/printed_rights.h"
#include "cluster/runs.h"
#include "support/ceph_json.h"
#include "support/eventually.h"
#include "support/places.h"
#include "support/settled.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;

bool noout_of(int osd) {
  const json info = ceph_json({"osd", "info", std::to_string(osd)});
  const json& state = info["state"];
  return std::find(state.begin(), state.end(), "noout") != state.end();
}

constexpr std::chrono::milliseconds between_two_looks(500);

// Whether the mgr knows that each PG of the pool is on so many OSDs, and clean.
bool has_copies(const std::string& pool, std::size_t copies) {
  const json answer = ceph_json({"pg", "ls-by-pool", pool});
  const json& pgs = answer["pg_stats"];
  return !pgs.empty() && std::all_of(pgs.begin(), pgs.end(), [&](const json& pg) {
    return pg["acting"].size() == copies &&
           pg["state"].get<std::string>().starts_with("active+clean");
  });
}

json notes() {
  return ceph_json({"config-key", "dump", "radosload/noout/"});
}

class OsdTimes : public Runs {
 protected:
  void TearDown() override {
    radosload_here({"cleanup", "--flags", "--force", "--yes"});
    ceph({"osd", "unset-group", "noout", "osd.0"});
    EXPECT_FALSE(noout_of(0));
    EXPECT_EQ(notes(), json::object());
  }
  // With a store of its own.
  Finished here(std::vector<std::string> words) const {
    return radosload_here(std::move(words), {{"XDG_STATE_HOME", m_state.path().string()}});
  }
  Finished time(std::vector<std::string> words) const {
    words.insert(words.begin(), "time");
    words.emplace_back("--no-progress");
    return here(std::move(words));
  }
  json time_json(std::vector<std::string> words) const {
    words.emplace_back("--json");
    const Finished done = time(std::move(words));
    EXPECT_EQ(done.status, 0) << done.err << done.out;
    return json::parse(done.out, nullptr, false);
  }
};

// The lab has a pool of size 1, so no OSD may be stopped: it gets a second copy meanwhile.
class OsdRestarts : public OsdTimes {
 protected:
  void SetUp() override {
    if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be stopped";
    ASSERT_EQ(ceph({"osd", "pool", "set", "hdd1", "size", "2"}).status, 0);
    // Until then an OSD that may be stopped, and a clean cluster, are those of one copy.
    ASSERT_TRUE(eventually([] { return has_copies("hdd1", 2); }, seconds(60), between_two_looks));
    ASSERT_EQ(ceph({"osd", "ok-to-stop", "0"}).status, 0);
    await_clean();
  }
  void TearDown() override {
    if (!on_lab()) return;
    OsdTimes::TearDown();
    lab({"osd", "start", "0"});
    ceph({"osd", "pool", "set", "hdd1", "size", "1", "--yes-i-really-mean-it"});
    EXPECT_TRUE(eventually([] { return has_copies("hdd1", 1); }, seconds(60), between_two_looks));
    await_clean();
  }
  static std::string lab_restart(const std::string& verb = "restart") {
    return fmt::format("{} osd {} {{osd}} --dir '{}'", in_source("tools/lab"), verb,
                       std::filesystem::path(cluster_conf()).parent_path().string());
  }
};

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
  const auto started = [this] {
    const Finished listed = here({"list", "--json"});
    return listed.status == 0 && !json::parse(listed.out)["entries"].empty();
  };
  ASSERT_TRUE(eventually(started, seconds(30)));
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
  const json document = time_json({"scrub", "--osd", "0", "--limit", "80s"});
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
      time_json({"backfill", "--osd", "0", "--limit", "20s"})["rows"][0]["backfill"];
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

TEST_F(OsdRestarts, ARestartIsTimedPhaseByPhase) {
  const Finished unsaid = time({"peering", "--osd", "0", "--restart-cmd", lab_restart()});
  EXPECT_EQ(unsaid.status, refused) << unsaid.err;
  EXPECT_THAT(unsaid.out, HasSubstr("noout for osd.0"));
  const int up_from = ceph_json({"osd", "info", "0"})["up_from"];
  // With the rights that are printed for it, and no others.
  const CephUser user = user_for("peering-printed", "time-peering");
  const json document = time_json(as_user(
      user, {"peering", "--osd", "0", "--restart-cmd", lab_restart(), "--yes", "--limit", "80s"}));
  const json& peering = document["rows"][0]["peering"];
  EXPECT_GT(ceph_json({"osd", "info", "0"})["up_from"], up_from);
  ASSERT_TRUE(peering["up_s"].is_number() && peering["active_s"].is_number());
  if (peering["down_s"].is_number()) {
    EXPECT_LE(peering["down_s"], peering["up_s"]);
  }
  EXPECT_LE(peering["up_s"], peering["active_s"].get<double>() + 1);
  EXPECT_LE(peering["active_s"], peering["clean_s"].get<double>() + 1);
  EXPECT_GT(peering["pgs"], 0);
}

TEST_F(OsdRestarts, MarkedDown_OsdComesUpByItselfAndAnEarlierFlagStays) {
  ASSERT_EQ(ceph({"osd", "set-group", "noout", "osd.0"}).status, 0);
  const json document =
      time_json({"peering", "--osd", "0", "--how", "down", "--yes", "--limit", "80s"});
  EXPECT_EQ(document["rows"][0]["peering"]["noout_was_there"], true);
  EXPECT_TRUE(noout_of(0));
}

TEST_F(OsdRestarts, ACommandThatFailsAndAnInterruptUnsetTheFlag) {
  const Finished failing =
      time({"peering", "--osd", "0", "--restart-cmd", "echo no such unit {osd}; exit 5", "--yes"});
  EXPECT_EQ(failing.status, flawed);
  EXPECT_THAT(failing.out, AllOf(HasSubstr("exit status 5"), HasSubstr("no such unit 0")));
  EXPECT_FALSE(noout_of(0));
  Process process(launch({"time", "peering", "--osd", "0", "--restart-cmd", "echo {osd}; sleep 15",
                          "--yes", "--no-progress"}));
  ASSERT_TRUE(process.wait_until([] { return noout_of(0); }, seconds(20)));
  process.signal(SIGINT);
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("osd.0"), HasSubstr("interrupted")));
  EXPECT_FALSE(noout_of(0));
  const json kept = json::parse(here({"list", "--json"}).out)["entries"];
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0]["status"], "interrupted");
  EXPECT_EQ(kept[1]["status"], "incomplete");
  // It never returns: TearDown starts it again.
  const Finished gone = time(
      {"peering", "--osd", "0", "--restart-cmd", lab_restart("stop"), "--yes", "--limit", "6s"});
  EXPECT_EQ(gone.status, flawed);
  EXPECT_THAT(gone.out, HasSubstr("did not return within 6 s"));
  EXPECT_FALSE(noout_of(0));
  EXPECT_EQ(json::parse(here({"list", "--json"}).out)["entries"].size(), 3U);
  EXPECT_EQ(notes(), json::object());
}

TEST_F(OsdRestarts, ATerminalThatClosesUnsetsTheFlag) {
  // The restart command goes on: it is a change to the cluster.
  const std::vector<std::string> words = {"time",  "peering",       "--osd",
                                          "0",     "--restart-cmd", "echo {osd}; sleep 5",
                                          "--yes", "--limit",       "40s"};
  Launch hung_up = launch(words);
  hung_up.err = Sink::own_terminal;
  Process process(hung_up);
  ASSERT_TRUE(process.wait_until([] { return noout_of(0); }, seconds(20)));
  process.hang_up();
  const Finished done = process.wait();
  EXPECT_EQ(done.status, interrupted);
  EXPECT_THAT(done.out, AllOf(HasSubstr("osd.0"), HasSubstr("interrupted")));
  EXPECT_FALSE(noout_of(0));
  EXPECT_EQ(notes(), json::object());
  const json kept = json::parse(here({"list", "--json"}).out)["entries"];
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0]["status"], "interrupted");
  // At other moments: before the note, with the note, with the flag, and later.
  for (const int ms : {20, 60, 120, 250}) {
    Process closed(hung_up);
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    closed.hang_up();
    const int status = closed.wait().status;
    constexpr int died_of_it = 128 + SIGHUP;  // before it had begun anything
    EXPECT_TRUE(status == interrupted || status == died_of_it) << status;
    EXPECT_FALSE(noout_of(0)) << ms;
    EXPECT_EQ(notes(), json::object()) << ms;
  }
  // Nobody says so: it goes on to its end.
  Launch unsaid =
      launch({"time", "peering", "--osd", "0", "--how", "down", "--yes", "--limit", "80s"});
  unsaid.err = Sink::terminal;
  Process goes_on(unsaid);
  ASSERT_TRUE(goes_on.wait_until([] { return noout_of(0); }, seconds(20)));
  goes_on.hang_up();
  EXPECT_EQ(goes_on.wait().status, 0);
  EXPECT_FALSE(noout_of(0));
  EXPECT_EQ(notes(), json::object());
}

TEST_F(OsdRestarts, AfterKillNineCleanupFindsTheFlagAndRemovesIt) {
  Process process(launch({"time", "peering", "--osd", "0", "--restart-cmd", "echo {osd}; sleep 15",
                          "--yes", "--no-progress"}));
  ASSERT_TRUE(process.wait_until([] { return noout_of(0); }, seconds(20)));
  const Finished live = radosload_here({"cleanup", "--flags"});
  EXPECT_EQ(live.status, 0) << live.err;
  EXPECT_THAT(live.out, AllOf(HasSubstr("left alone"), HasSubstr("runs on this machine")));
  process.signal(SIGKILL);
  process.wait();
  EXPECT_TRUE(noout_of(0));
  EXPECT_THAT(radosload_here({"cleanup", "--flags", "--dry-run"}).out,
              HasSubstr("would be removed"));
  const Finished unasked = radosload_here({"cleanup", "--flags"});
  EXPECT_EQ(unasked.status, refused);
  EXPECT_THAT(unasked.out,
              AllOf(HasSubstr("noout of osd.0: would be removed"), HasSubstr(" ago)")));
  Process asking({.words = {radosload_path(), "cleanup", "--flags"},
                  .env = env(),
                  .err = Sink::own_terminal,
                  .typed_on_err = true});
  ASSERT_TRUE(asking.wait_for_output("Remove this? [y/N]", seconds(20)));
  asking.type("n\n");
  EXPECT_EQ(asking.wait().status, refused);
  EXPECT_TRUE(noout_of(0));
  const Finished cleanup = radosload_here({"cleanup", "--flags", "--json", "--yes"});
  EXPECT_EQ(cleanup.status, 0) << cleanup.err;
  const json removed = json::parse(cleanup.out)["flags"][0];
  EXPECT_EQ(removed["fate"], "removed");
  EXPECT_EQ(removed["process"], "gone");
  EXPECT_FALSE(noout_of(0));
  EXPECT_THAT(radosload_here({"cleanup", "--flags"}).out, HasSubstr("no flags"));
  // At other moments: before the note, with the note, with the flag, and later.
  for (const int ms : {20, 60, 120, 250}) {
    Process killed(launch({"time", "peering", "--osd", "0", "--restart-cmd", "echo {osd}; sleep 2",
                           "--yes", "--no-progress"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    killed.signal(SIGKILL);
    killed.wait();
    EXPECT_EQ(radosload_here({"cleanup", "--flags", "--yes"}).status, 0);
    EXPECT_FALSE(noout_of(0)) << ms;
  }
}

}  // namespace
}  // namespace radosload::test
