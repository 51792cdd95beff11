// `radosload time peering` on a real cluster: a restart is timed phase by phase, and the flag noout
// never stays behind, however it ends.

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <thread>

#include "cluster/osd_times.h"
#include "cluster/printed_rights.h"
#include "support/places.h"
#include "support/settled.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

// Waits until the mgr knows that each PG of the pool is on so many OSDs, and clean.
testing::AssertionResult await_copies(const std::string& pool, std::size_t copies) {
  const auto look = [&] {
    const json answer = ceph_json({"pg", "ls-by-pool", pool});
    const json& pgs = answer["pg_stats"];
    const auto is_so = [&](const json& pg) {
      return pg["acting"].size() == copies &&
             pg["state"].get<std::string>().starts_with("active+clean");
    };
    return Seen(!pgs.empty() && std::all_of(pgs.begin(), pgs.end(), is_so), pgs.dump());
  };
  return wait_for(std::to_string(copies) + " copies in pool " + pool, look, patience, now_and_then);
}

// The lab has a pool of size 1, so no OSD may be stopped: it gets a second copy meanwhile.
class OsdRestarts : public OsdTimes {
 protected:
  void SetUp() override {
    if (!on_lab()) GTEST_SKIP() << "only the lab's OSDs may be stopped";
    ASSERT_EQ(ceph({"osd", "pool", "set", "hdd1", "size", "2"}).status, 0);
    // Until then an OSD that may be stopped, and a clean cluster, are those of one copy.
    ASSERT_TRUE(await_copies("hdd1", 2));
    ASSERT_EQ(ceph({"osd", "ok-to-stop", "0"}).status, 0);
    await_clean();
  }
  void TearDown() override {
    if (!on_lab()) return;
    OsdTimes::TearDown();
    lab({"osd", "start", "0"});
    ceph({"osd", "pool", "set", "hdd1", "size", "1", "--yes-i-really-mean-it"});
    EXPECT_TRUE(await_copies("hdd1", 1));
    await_clean();
  }
  // A restart command that runs until the test says so, or has ended.
  std::string long_restart() const {
    return fmt::format("echo {{osd}}; while [ -d '{}' ] && ! [ -e '{}' ]; do sleep 0.1; done",
                       m_state.path().string(), m_over);
  }
  void let_restart_end() const { write_file(m_over, ""); }
  static std::string lab_restart(const std::string& verb = "restart") {
    return fmt::format("{} osd {} {{osd}} --dir '{}'", in_source("tools/lab"), verb,
                       std::filesystem::path(cluster_conf()).parent_path().string());
  }

 private:
  const std::string m_over = (m_state.path() / "over").string();
};

TEST_F(OsdRestarts, ARestartIsTimedPhaseByPhase) {
  const Finished unsaid = time({"peering", "--osd", "0", "--restart-cmd", lab_restart()});
  EXPECT_EQ(unsaid.status, refused) << unsaid.err;
  EXPECT_THAT(unsaid.out, HasSubstr("noout for osd.0"));
  const int up_from = ceph_json({"osd", "info", "0"})["up_from"];
  // With the rights that are printed for it, and no others.
  const CephUser user = user_for("peering-printed", "time-peering");
  const json document = time_json(as_user(
      user, {"peering", "--osd", "0", "--restart-cmd", lab_restart(), "--yes", "--limit", "3m"}));
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
      time_json({"peering", "--osd", "0", "--how", "down", "--yes", "--limit", "3m"});
  EXPECT_EQ(document["rows"][0]["peering"]["noout_was_there"], true);
  EXPECT_TRUE(noout_of(0));
}

TEST_F(OsdRestarts, ACommandThatFailsAndAnInterruptUnsetTheFlag) {
  const Finished failing =
      time({"peering", "--osd", "0", "--restart-cmd", "echo no such unit {osd}; exit 5", "--yes"});
  EXPECT_EQ(failing.status, flawed);
  EXPECT_THAT(failing.out, AllOf(HasSubstr("exit status 5"), HasSubstr("no such unit 0")));
  EXPECT_FALSE(noout_of(0));
  Process process(launch({"time", "peering", "--osd", "0", "--restart-cmd", long_restart(), "--yes",
                          "--no-progress"}));
  ASSERT_TRUE(await_noout_of(process, 0));
  process.signal(SIGINT);
  let_restart_end();
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
  const std::vector<std::string> words = {
      "time", "peering", "--osd", "0", "--restart-cmd", long_restart(), "--yes", "--limit", "2m"};
  Launch hung_up = launch(words);
  hung_up.err = Sink::own_terminal;
  Process process(hung_up);
  ASSERT_TRUE(await_noout_of(process, 0));
  process.hang_up();
  let_restart_end();
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
    // Time: each of these moments must do.
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
      launch({"time", "peering", "--osd", "0", "--how", "down", "--yes", "--limit", "3m"});
  unsaid.err = Sink::terminal;
  Process goes_on(unsaid);
  ASSERT_TRUE(await_noout_of(goes_on, 0));
  goes_on.hang_up();
  EXPECT_EQ(goes_on.wait().status, 0);
  EXPECT_FALSE(noout_of(0));
  EXPECT_EQ(notes(), json::object());
}

TEST_F(OsdRestarts, AfterKillNineCleanupFindsTheFlagAndRemovesIt) {
  Process process(launch({"time", "peering", "--osd", "0", "--restart-cmd", long_restart(), "--yes",
                          "--no-progress"}));
  ASSERT_TRUE(await_noout_of(process, 0));
  const Finished live = radosload_here({"cleanup", "--flags"});
  EXPECT_EQ(live.status, 0) << live.err;
  EXPECT_THAT(live.out, AllOf(HasSubstr("left alone"), HasSubstr("runs on this machine")));
  process.signal(SIGKILL);
  process.wait();
  let_restart_end();
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
  ASSERT_TRUE(asking.wait_for_output("Remove this? [y/N]"));
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
    // Time: each of these moments must do.
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    killed.signal(SIGKILL);
    killed.wait();
    EXPECT_EQ(radosload_here({"cleanup", "--flags", "--yes"}).status, 0);
    EXPECT_FALSE(noout_of(0)) << ms;
  }
}

}  // namespace
}  // namespace radosload::test
