// `radosload explain` on causes that are made on purpose. The machine that tests run on is busy, so
// that its client may be short of CPU as well; of the causes in the cluster the made one is first.
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cluster/drive_setting.h"
#include "cluster/runs.h"
#include "support/files.h"

#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class ExplainedRuns : public Runs {
 protected:
  // Each run is watched, and its record read back by the command.
  json explained(const std::string& pool, const std::string& pattern,
                 std::vector<std::string> more = {}) const {
    more.insert(more.end(), watched.begin(), watched.end());
    const Finished done = run(pool, pattern, std::move(more));
    EXPECT_EQ(done.status, 0) << done.err;
    report = done.out;
    const Finished said = test::run(launch({"explain", "last", "--json"}));
    EXPECT_EQ(said.status, 0) << said.err;
    return json::parse(said.out);
  }
  static std::vector<std::string> causes_in_cluster(const json& explanation) {
    std::vector<std::string> names;
    for (const json& cause : explanation["causes"]) {
      const std::string name = cause["name"];
      if (!name.starts_with("client-")) names.push_back(name);
    }
    return names;
  }
  static json cause_named(const json& explanation, const std::string& name) {
    for (const json& cause : explanation["causes"]) {
      if (cause["name"] == name) return cause;
    }
    return json::object();
  }

  // Time: the OSDs are read at its beginning, near its end, and every five seconds.
  const std::vector<std::string> watched = {
      "--observer-id", "admin", "--time", "6", "--no-progress", "--warmup", "1", "--push-through"};
  mutable std::string report;
};

TEST_F(ExplainedRuns, SlowedDrive_IsTheFirstCause) {
  const DriveSetting drive("0", "iops=25");
  if (!drive.in_force()) GTEST_SKIP() << "drives are not emulated here";
  const json explanation = explained("ssd", "randwrite4k,qd=4,size=8M,object-size=64k");
  ASSERT_FALSE(causes_in_cluster(explanation).empty()) << explanation;
  ASSERT_EQ(causes_in_cluster(explanation).front(), "slow-osd") << explanation;
  const json cause = cause_named(explanation, "slow-osd");
  EXPECT_EQ(cause["claim"], "osd.0 is slower than the others");
  EXPECT_GT(cause["size"]["share"], 0.5);
  EXPECT_THAT(report, HasSubstr("cause     osd.0 is slower than the others: about"));
}

TEST_F(ExplainedRuns, SlowFlushesOfAllDrives_AreTheFirstCause) {
  const DriveSetting drives("0-3", "flush=10ms");
  if (!drives.in_force()) GTEST_SKIP() << "flushes are not emulated here";
  const json explanation = explained("hdd", "randwrite4k,qd=4,size=8M,object-size=64k");
  ASSERT_FALSE(causes_in_cluster(explanation).empty()) << explanation;
  EXPECT_EQ(causes_in_cluster(explanation).front(), "slow-flush") << explanation;
}

TEST_F(ExplainedRuns, SlowFlushesUnderAnImage_AreTheFirstCauseToo) {
  const DriveSetting drives("0-3", "flush=10ms");
  if (!drives.in_force()) GTEST_SKIP() << "flushes are not emulated here";
  const json explanation = explained("ssd", "randwrite4k,qd=4", {"--create", "16M"});
  ASSERT_FALSE(causes_in_cluster(explanation).empty()) << explanation;
  EXPECT_EQ(causes_in_cluster(explanation).front(), "slow-flush") << explanation;
  EXPECT_EQ(explanation["unseen"], json::array());
}

TEST_F(ExplainedRuns, SmallWritesOfAnErasureCodedPool_ReadBeforeTheyWrite) {
  const json small = explained("ec-k2m1", "randwrite4k,qd=4,size=8M");
  const json cause = cause_named(small, "stripe-reads");
  ASSERT_FALSE(cause.empty()) << small;
  EXPECT_THAT(cause["evidence"][0].get<std::string>(), HasSubstr("2.0 times for each write"));
  // The command that would refute it: a whole stripe is written without a look.
  EXPECT_THAT(cause["command"].get<std::string>(), HasSubstr("--bs 8k"));
  const json whole = explained("ec-k2m1", "randwrite4k,bs=8k,qd=4,size=8M");
  EXPECT_TRUE(cause_named(whole, "stripe-reads").empty()) << whole;
}

// Endless work on the one CPU that the client may use as well.
class BusyCpu {
 public:
  BusyCpu() {
    for (int i = 0; i < 4; ++i) {
      m_hogs.push_back(std::make_unique<Process>(
          Launch{.words = {"taskset", "-c", "0", "sh", "-c", "while :; do :; done"}, .env = {}}));
    }
  }
  ~BusyCpu() {
    for (const auto& hog : m_hogs) hog->signal(SIGKILL);
  }
  BusyCpu(const BusyCpu&) = delete;
  BusyCpu& operator=(const BusyCpu&) = delete;
  BusyCpu(BusyCpu&&) = delete;
  BusyCpu& operator=(BusyCpu&&) = delete;

 private:
  std::vector<std::unique_ptr<Process>> m_hogs;
};

TEST_F(ExplainedRuns, ClientWithoutACpu_IsNamed) {
  const BusyCpu busy;
  std::vector<std::string> all = words("hdd1", "randread4k,qd=16,size=8M", watched);
  all.insert(all.begin(), {"taskset", "-c", "0", radosload_path()});
  const Finished done =
      test::run({.words = std::move(all), .env = env(), .limit = std::chrono::seconds(120)});
  ASSERT_EQ(done.status, 0) << done.err;
  const Finished said = test::run(launch({"explain", "last", "--json"}));
  const json cause = cause_named(json::parse(said.out), "client-cpu");
  ASSERT_FALSE(cause.empty()) << said.out;
  EXPECT_THAT(cause["evidence"].back().get<std::string>(), HasSubstr("had no CPU for"));
  const Finished text = test::run(launch({"explain", "last"}));
  EXPECT_THAT(text.out, HasSubstr("the client has too little CPU"));
}

}  // namespace
}  // namespace radosload::test
