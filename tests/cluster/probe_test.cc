// `radosload probe` on a real cluster, with exactly the rights that are printed: its objects are
// used again after kill -9, nothing but its own is touched, and a slowed drive is found.
#include <csignal>
#include <set>
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
#include "support/wait_for.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using Words = std::vector<std::string>;

// With fewer rounds before it, a change of an OSD is not found.
constexpr int enough_to_compare = 40;

class ClusterProbe : public testing::Test {
 protected:
  ~ClusterProbe() override {
    // The watch of a process that was killed holds the objects for up to 30 s.
    const auto removed = [] {
      const Finished done = radosload_here({"cleanup", "--pool", "hdd", "--run", "probe", "--yes"});
      return Seen(!contains(done.out, "left alone").enough, done.out + done.err);
    };
    EXPECT_TRUE(wait_for("the probe's objects to be removed", removed, patience, now_and_then));
  }
  Words words(Words more) const {
    Words all = {"probe", "--pool", "hdd", "--force", "--history", history()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Process in_background(Words more) const {
    Words all = words(std::move(more));
    all.insert(all.begin(), radosload_path());
    return Process({.words = std::move(all), .env = {{"CEPH_CONF", cluster_conf()}}});
  }
  Finished show() const {
    return radosload_here({"probe", "show", "--history", history(), "--json"});
  }
  json shown() const {
    const Finished done = show();
    EXPECT_EQ(done.status, 0) << done.err;
    return done.status == 0 ? json::parse(done.out) : json();
  }
  std::string history() const { return (m_place.path() / "history").string(); }
  // Waits until the summary of the history is so.
  template <typename Condition>
  testing::AssertionResult await_history(Process& probing, const std::string& what,
                                         const Condition& is_so) const {
    return probing.wait_for(what, [&] {
      const Finished done = show();
      return Seen(done.status == 0 && is_so(json::parse(done.out)), done.out + done.err);
    });
  }
  // Waits until the probe has ended so many rounds, which takes longer on a busy machine.
  testing::AssertionResult await_rounds(Process& probing, int least) const {
    return await_history(probing, std::to_string(least) + " rounds",
                         [&](const json& document) { return document["rounds"] >= least; });
  }
  // The objects of the probe, without its manifest.
  static std::set<std::string> objects() {
    const Finished listed =
        run({.words = {"rados", "-c", cluster_conf(), "-p", "hdd", "-N", "radosload", "ls"}});
    EXPECT_EQ(listed.status, 0) << listed.err;
    std::set<std::string> names;
    std::size_t from = 0;
    for (std::size_t end = listed.out.find('\n'); end != std::string::npos;
         from = end + 1, end = listed.out.find('\n', from)) {
      const std::string name = listed.out.substr(from, end - from);
      if (name.starts_with("radosload.probe.")) names.insert(name);
    }
    return names;
  }

 private:
  TemporaryFolder m_place;
};

TEST_F(ClusterProbe, WithThePrintedRights_EveryOsdAnswersAndItsObjectsStayForTheNext) {
  await_clean();
  const CephUser user = user_for("probe-printed", "probe", "hdd");
  const Finished first =
      radosload_here(as_user(user, words({"--rounds", "4", "--interval", "2s"})));
  ASSERT_EQ(first.status, 0) << first.err;
  const json document = shown();
  EXPECT_EQ(document["rounds"], 4);
  ASSERT_EQ(document["osds"].size(), 4U);
  for (const json& osd : document["osds"]) {
    EXPECT_GT(osd["read"]["usual_us"].get<double>(), 10) << osd;
    EXPECT_LT(osd["read"]["usual_us"].get<double>(), 10e6) << osd;
    EXPECT_GT(osd["write"]["usual_us"].get<double>(), 10) << osd;
    EXPECT_EQ(osd["read"]["failed"], 0);
    EXPECT_EQ(osd["write"]["failed"], 0);
  }
  const auto made = objects();
  EXPECT_EQ(made.size(), 4U * 32) << "32 for each OSD";
  const Finished again =
      radosload_here(as_user(user, words({"--rounds", "2", "--interval", "1s"})));
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(objects(), made);
  EXPECT_EQ(shown()["rounds"], 6);

  const Finished kept = radosload_here({"cleanup", "--pool", "hdd", "--yes"});
  EXPECT_EQ(kept.status, 0) << kept.err;
  EXPECT_EQ(objects(), made) << "they are kept until they are named";
  const Finished removed =
      radosload_here(as_user(user, {"cleanup", "--pool", "hdd", "--run", "probe", "--yes"}));
  EXPECT_EQ(removed.status, 0) << removed.err;
  EXPECT_EQ(objects().size(), 0U);
}

TEST_F(ClusterProbe, ByPool_ObjectsOnAllOsdsAreReadAndWritten) {
  await_clean();
  const CephUser user = user_for("probe-pool", "probe", "hdd");
  const Finished done =
      radosload_here(as_user(user, words({"--by", "pool", "--rounds", "5", "--interval", "1s"})));
  ASSERT_EQ(done.status, 0) << done.err;
  const json document = shown();
  ASSERT_EQ(document["osds"].size(), 1U);
  const json& pool = document["osds"][0];
  EXPECT_TRUE(pool["osd"].is_null());
  for (const char* const op : {"read", "write"}) {
    EXPECT_GT(pool[op]["usual_us"].get<double>(), 10) << pool;
    EXPECT_LT(pool[op]["usual_us"].get<double>(), 10e6) << pool;
    EXPECT_EQ(pool[op]["failed"], 0) << pool;
  }
  EXPECT_EQ(objects().size(), 64U) << "made by the first reads and writes";
  const Finished removed =
      radosload_here(as_user(user, {"cleanup", "--pool", "hdd", "--run", "probe", "--yes"}));
  EXPECT_EQ(removed.status, 0) << removed.err;
  EXPECT_EQ(objects().size(), 0U);
}

TEST_F(ClusterProbe, KilledOne_IsFollowedAtOnceByTheNextAndALiveOneIsLeftAlone) {
  await_clean();
  for (const int rounds : {3, 6}) {
    Process probing = in_background({"--interval", "500ms"});
    EXPECT_TRUE(await_rounds(probing, rounds));
    probing.signal(SIGKILL);
    EXPECT_EQ(probing.wait().status, 128 + SIGKILL);
  }
  const json before = shown();
  EXPECT_EQ(before["unreadable_lines"], 0);
  Process probing = in_background({"--interval", "500ms"});
  ASSERT_TRUE(await_rounds(probing, before["rounds"].get<int>() + 3));
  const Finished cleanup = radosload_here({"cleanup", "--pool", "hdd", "--run", "probe", "--yes"});
  EXPECT_THAT(cleanup.out + cleanup.err, HasSubstr("pid " + std::to_string(probing.pid())));
  EXPECT_GT(objects().size(), 0U) << "a live one keeps its objects";
  const Finished second = radosload_here(
      {"probe", "--pool", "hdd", "--force", "--rounds", "1", "--history", history() + "2"});
  EXPECT_EQ(second.status, refused) << second.err;
  EXPECT_THAT(second.err, HasSubstr("probes this pool"));
  probing.signal(SIGTERM);
  const Finished ended = probing.wait();
  EXPECT_EQ(ended.status, interrupted) << ended.err;
}

TEST_F(ClusterProbe, ItsObjectsRemovedByForce_EndIt) {
  await_clean();
  Process probing = in_background({"--interval", "1s"});
  ASSERT_TRUE(await_rounds(probing, 2));
  ASSERT_EQ(
      radosload_here({"cleanup", "--pool", "hdd", "--run", "probe", "--force", "--yes"}).status, 0);
  const Finished ended = probing.wait();
  EXPECT_EQ(ended.status, refused) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("a cleanup has removed its objects"));
}

TEST_F(ClusterProbe, SlowedDrive_IsFoundAndNamed) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be disturbed";
  await_clean();
  const std::string said = history() + ".said";
  Process probing = in_background({"--interval", "500ms", "--reads", "5", "--exec",
                                   "echo {subject} {op} {ratio} >> '" + said + "'"});
  ASSERT_TRUE(await_rounds(probing, enough_to_compare));
  ASSERT_EQ(lab({"drive", "1", "iops=10"}).status, 0);
  const auto found = probing.wait_for_output("osd.1 read: ");
  ASSERT_EQ(lab({"drive", "1", "profile"}).status, 0);
  probing.signal(SIGTERM);
  const Finished ended = probing.wait();
  EXPECT_TRUE(found);
  EXPECT_EQ(ended.status, interrupted);
  // The machine of a lab has other work to do, which also changes latencies, but not so much.
  const json document = shown();
  double most = 0;
  json slowest;
  for (const json& change : document["changes"]) {
    if (change["op"] != "read" || change["ratio"].get<double>() <= most) continue;
    most = change["ratio"];
    slowest = change;
  }
  ASSERT_FALSE(slowest.is_null());
  EXPECT_EQ(slowest["osd"], 1) << document["changes"];
  EXPECT_GT(most, 3);
  EXPECT_THAT(read_file(said), HasSubstr("osd.1 read "));
}

// OSDs that go and come back, while it probes.
TEST_F(ClusterProbe, OsdThatDies_IsNotProbedUntilItIsBack) {
  if (!on_lab()) GTEST_SKIP() << "only the lab may be disturbed";
  await_clean();
  Process probing = in_background({"--interval", "1s"});
  ASSERT_TRUE(await_rounds(probing, 2));
  EXPECT_EQ(lab({"osd", "kill", "2"}).status, 0);
  EXPECT_EQ(ceph({"osd", "down", "2"}).status, 0);
  const auto without_pgs = [&](const json& osds) {
    return await_history(probing, "the OSDs without PGs to be " + osds.dump(),
                         [&](const json& document) { return document["without_pgs"] == osds; });
  };
  // The PGs have another primary once they have peered, and a round sees it when those before it
  // have ended: how long that takes depends on the machine.
  EXPECT_TRUE(without_pgs(json::array({2})));
  EXPECT_EQ(lab({"osd", "start", "2"}).status, 0);
  await_clean();
  EXPECT_TRUE(without_pgs(json::array()));
  probing.signal(SIGTERM);
  EXPECT_EQ(probing.wait().status, interrupted);
  EXPECT_EQ(shown()["osds"].size(), 4U);
}

}  // namespace
}  // namespace radosload::test
