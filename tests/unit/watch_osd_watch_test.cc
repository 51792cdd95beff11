// The counters of OSDs over an interval, on scripted answers: OSDs that restart, are reset, hang or
// refuse. Each test moves the time itself.
#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "unit/histogram_support.h"
#include "watch/osd_watch.h"

#include <fmt/format.h>

namespace radosload::watch {
namespace {

using record::OsdWindow;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ScriptedOsd {
  std::uint64_t ops = 100;
  double latency_s = 10;  // of all of them
  int up_from = 5;
  int nonce = 1000;
  bool up = true;
  int errnum = 0;  // of its answer
};

// OSDs that the test changes between two looks.
struct ScriptedOsds {
  std::map<std::int32_t, ScriptedOsd> osds = {{0, {}}, {3, {}}};
  bool mons = true;
  bool tells_histograms = false;
  std::atomic<int> histograms_asked = 0;
  Time now{0};
};

class Daemons final : public AdminCommands {
 public:
  explicit Daemons(ScriptedOsds& cluster) : m_cluster(cluster) {}

  Result<std::string> mon(const std::string& command) override {
    if (!m_cluster.mons) return fail({.attempt = "ask", .subject = "the mons"});
    EXPECT_THAT(command, HasSubstr("osd dump"));
    std::string osds;
    for (const auto& [id, osd] : m_cluster.osds) {
      osds += fmt::format(
          R"({}{{"osd":{},"up":{},"in":1,"up_from":{},"public_addrs":{{"addrvec":[{{"type":"v2","nonce":{}}}]}}}})",
          osds.empty() ? "" : ",", id, osd.up ? 1 : 0, osd.up_from, osd.nonce);
    }
    return fmt::format(R"({{"epoch":9,"osds":[{}]}})", osds);
  }
  Result<std::string> mgr(const std::string& command) override {
    ADD_FAILURE() << command;
    return fail({});
  }
  Result<std::string> osd(int id, const std::string& command) override {
    if (command.find("perf histogram dump") != std::string::npos) return histograms(id);
    EXPECT_THAT(command, HasSubstr("perf dump"));
    const ScriptedOsd& osd = m_cluster.osds.at(id);
    if (osd.errnum != 0) {
      return fail({.attempt = "get 'perf dump' from",
                   .subject = fmt::format("osd.{}", id),
                   .errnum = osd.errnum,
                   .exit = Exit::no_cluster});
    }
    return fmt::format(
        R"({{"osd":{{"op":{},"op_latency":{{"avgcount":{},"sum":{},"avgtime":0.1}}}}}})", osd.ops,
        osd.ops, osd.latency_s);
  }

 private:
  Result<std::string> histograms(int id) {
    ++m_cluster.histograms_asked;
    if (!m_cluster.tells_histograms) return fail({.attempt = "ask", .reason = "unknown command"});
    return testing::histograms_of(m_cluster.osds.at(id).ops);
  }

  ScriptedOsds& m_cluster;
};

struct Scene {
  ScriptedOsds cluster;
  OsdWatch watch{std::make_shared<Daemons>(cluster),
                 {{.osd = 0, .kind = "plain"}, {.osd = 3, .kind = "db"}},
                 [this] { return cluster.now; }};

  // Each OSD does some work of 2 ms, five seconds pass, and the watch looks.
  void work_and_look(std::uint64_t ops = 50) {
    for (auto& [id, osd] : cluster.osds) {
      osd.ops += ops;
      osd.latency_s += static_cast<double>(ops) * 0.002;
    }
    cluster.now += seconds(5);
    watch.poll();
  }
  ScriptedOsd& third() { return cluster.osds.at(3); }
};

std::uint64_t ops_of(const OsdWindow& window) {
  const auto found = window.growth.counts.find("op");
  return found == window.growth.counts.end() ? 0 : found->second;
}

double mean_of(const OsdWindow& window) {
  const TimedCount& latency = window.growth.times.at("op_latency");
  return latency.seconds / static_cast<double>(latency.count);
}

TEST(OsdWatch, FiguresAreThoseOfTheInterval_NotSinceTheOsdStarted) {
  Scene scene;
  scene.cluster.now = seconds(1);
  ASSERT_TRUE(scene.watch.begin());
  scene.work_and_look();
  scene.work_and_look(10);
  const auto whole = scene.watch.whole();
  ASSERT_EQ(whole.size(), 2U);
  EXPECT_EQ(whole[1].osd, 3);
  EXPECT_EQ(whole[1].kind, "db");
  EXPECT_EQ(whole[1].from, seconds(1));
  EXPECT_EQ(whole[1].to, seconds(11));
  EXPECT_EQ(ops_of(whole[1]), 60U);
  EXPECT_NEAR(mean_of(whole[1]), 0.002, 1e-9) << "the 100 operations before took 100 ms each";
  const auto latest = scene.watch.latest();
  EXPECT_EQ(ops_of(latest[1]), 10U);
  EXPECT_EQ(latest[1].from, seconds(6));
  EXPECT_THAT(scene.watch.notes(), IsEmpty());
}

TEST(OsdWatch, Latencies_AreThoseOfTheInterval) {
  Scene scene;
  scene.cluster.tells_histograms = true;
  ASSERT_TRUE(scene.watch.begin());
  scene.work_and_look();
  scene.work_and_look(10);
  const LatencyBuckets all = {{.from_ns = 1'600'000, .below_ns = 3'200'000, .ops = 60}};
  EXPECT_EQ(scene.watch.whole()[1].growth.latencies.at("read"), all);
  EXPECT_EQ(scene.watch.latest()[1].growth.latencies.at("read").front().ops, 10U);
}

TEST(OsdWatch, WithoutHistograms_TheCountersAreThereAndNoneIsAskedForAgain) {
  Scene scene;
  ASSERT_TRUE(scene.watch.begin());
  scene.work_and_look();
  scene.work_and_look(10);
  EXPECT_EQ(ops_of(scene.watch.whole()[1]), 60U);
  EXPECT_THAT(scene.watch.whole()[1].growth.latencies, IsEmpty());
  EXPECT_EQ(scene.cluster.histograms_asked.load(), 2) << "once for each OSD";
}

TEST(OsdWatch, RestartedOsd_IsReportedAndTheOtherKeepsItsFigures) {
  Scene scene;
  ASSERT_TRUE(scene.watch.begin());
  scene.work_and_look();
  // It counts on from more than before: only its identity shows the restart.
  scene.third() = {.ops = 5'000, .up_from = 12, .nonce = 2000};
  scene.work_and_look();
  auto whole = scene.watch.whole();
  EXPECT_EQ(whole[1].missing, "it was restarted, between 5.0 and 10.0 s");
  EXPECT_EQ(ops_of(whole[1]), 0U);
  EXPECT_EQ(whole[0].missing, "");
  EXPECT_EQ(ops_of(whole[0]), 100U);
  EXPECT_EQ(scene.watch.latest()[1].missing, "it was restarted");
  scene.work_and_look();
  EXPECT_EQ(scene.watch.latest()[1].missing, "");
  EXPECT_EQ(ops_of(scene.watch.latest()[1]), 50U);
  EXPECT_EQ(scene.watch.whole()[1].missing, "it was restarted, between 5.0 and 10.0 s");
}

TEST(OsdWatch, ResetCounters_AreDistinguishedFromARestart) {
  Scene scene;
  ASSERT_TRUE(scene.watch.begin());
  scene.third().ops = 0;
  scene.third().latency_s = 0;
  scene.work_and_look();
  EXPECT_EQ(scene.watch.whole()[1].missing, "its counters were reset, between 0.0 and 5.0 s");
  // What it counts later may exceed what it had at first.
  scene.third().latency_s = 50;
  scene.work_and_look(1'000);
  EXPECT_EQ(scene.watch.whole()[1].missing, "its counters were reset, between 0.0 and 5.0 s");
  EXPECT_EQ(ops_of(scene.watch.latest()[1]), 1'000U);
}

TEST(OsdWatch, WithoutTheMons_ResetOrRestartIsReportedAsUnknown) {
  Scene scene;
  ASSERT_TRUE(scene.watch.begin());
  scene.cluster.mons = false;
  scene.third().ops = 0;
  scene.work_and_look();
  EXPECT_THAT(scene.watch.whole()[1].missing,
              HasSubstr("it was restarted, or its counters were reset"));
  EXPECT_EQ(ops_of(scene.watch.whole()[0]), 50U);
}

TEST(OsdWatch, AnOsdThatWasOnlyMarkedDown_CountsOn) {
  Scene scene;
  ASSERT_TRUE(scene.watch.begin());
  scene.third().up_from = 12;
  scene.work_and_look();
  EXPECT_EQ(ops_of(scene.watch.whole()[1]), 50U);
  EXPECT_THAT(scene.watch.notes(), ElementsAre("osd.3 was marked down and is up again"));
}

TEST(OsdWatch, AnOsdThatGoesDown_KeepsItsFiguresUntilThen) {
  Scene scene;
  ASSERT_TRUE(scene.watch.begin());
  scene.work_and_look();
  scene.third().up = false;
  scene.third().errnum = ENXIO;
  scene.work_and_look();
  const auto whole = scene.watch.whole();
  EXPECT_EQ(ops_of(whole[1]), 50U);
  EXPECT_EQ(whole[1].to, seconds(5));
  EXPECT_EQ(scene.watch.latest()[1].missing, "it is down");
  EXPECT_THAT(scene.watch.notes(), ElementsAre("the figures of osd.3 end after 5.0 s: it is down"));
}

TEST(OsdWatch, AnOsdThatAnswersLate_HasFiguresFromThenOn) {
  Scene scene;
  scene.third().errnum = ETIMEDOUT;
  ASSERT_TRUE(scene.watch.begin());
  scene.third().errnum = 0;
  scene.work_and_look();
  EXPECT_THAT(scene.watch.whole()[1].missing, HasSubstr("only once"));
  scene.work_and_look();
  EXPECT_EQ(scene.watch.whole()[1].from, seconds(5));
  EXPECT_EQ(ops_of(scene.watch.whole()[1]), 50U);
}

TEST(OsdWatch, WithoutTheRights_SaysWhichCommandPrintsThem) {
  Scene scene;
  for (auto& [id, osd] : scene.cluster.osds) osd.errnum = EACCES;
  const Status begun = scene.watch.begin();
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().exit, Exit::no_cluster);
  EXPECT_THAT(begun.error().message(), HasSubstr("'radosload auth watch'"));
  EXPECT_THAT(begun.error().message(), HasSubstr("osd.0"));
}

TEST(OsdWatch, OneOsdThatRefuses_DoesNotEndTheWatchOfOthers) {
  Scene scene;
  scene.third().errnum = EIO;
  ASSERT_TRUE(scene.watch.begin());
  scene.work_and_look();
  EXPECT_THAT(scene.watch.whole()[1].missing, HasSubstr("EIO"));
  EXPECT_EQ(ops_of(scene.watch.whole()[0]), 50U);
}

}  // namespace
}  // namespace radosload::watch
