// What the OSDs of a real cluster counted while a run measured, and what the run says of it.
#include <sstream>
#include <stdexcept>
#include <string>

#include "cluster/drive_setting.h"
#include "cluster/runs.h"
#include "support/records.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class CountedRuns : public Runs {
 protected:
  Finished counted(const std::string& pool, const std::string& pattern,
                   std::vector<std::string> more) const {
    more.insert(more.end(), {"--no-progress", "--warmup", "2", "--observer-id", m_observer.id(),
                             "--observer-keyring", m_observer.keyring()});
    return run(pool, pattern, std::move(more));
  }

  CephUser m_observer{"counting", {"mon", "allow r", "mgr", "allow r", "osd", "allow *"}};
};

TEST_F(CountedRuns, IdleCluster_OsdsCountTheRunsOperationsAndFewMore) {
  // Time: the OSDs are read at its beginning, near its end, and every five seconds.
  const Finished done = counted("ssd", "randrw4k,size=16M,object-size=256k",
                                {"--rate", "300", "--time", "20", "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  expect_sound(record);
  std::uint64_t ours = 0;
  for (const auto& [osd, figures] : record["osds"].items()) {
    ASSERT_TRUE(figures.contains("counters")) << osd;
    const json& counters = figures["counters"];
    EXPECT_EQ(counters["missing"], "") << osd;
    EXPECT_FALSE(counters["kind"].is_null()) << osd;
    EXPECT_GE(counters["from_s"].get<double>(), 0);
    EXPECT_GT(counters["to_s"].get<double>(), 18) << "one in the last second";
    EXPECT_LE(counters["to_s"].get<double>(), record["measured_s"].get<double>());
    const double own = counters["ours"].get<double>();
    const double all = counters["counts"]["op"].get<double>();
    ours += counters["ours"].get<std::uint64_t>();
    if (own == 0) continue;  // a replica only
    // Some answers are on their way when an OSD is read, at either end of the window.
    const double slack = 16 + own / 100;
    EXPECT_GE(all + slack, own) << osd;
    EXPECT_LE(all, own * 1.05 + slack) << osd << ": the warm-up, or another client";
    EXPECT_GT(figures["share_ours"].get<double>(), 0.9) << osd;
    EXPECT_GT(counters["times"]["kv_commit"]["count"].get<std::uint64_t>(), 0U) << osd;
    // The histogram is asked for after the counters, on a busy machine up to two seconds
    // later.
    EXPECT_NEAR(counters["latencies"]["read"]["ops"].get<double>(),
                counters["counts"]["op_r"].get<double>(), 16 + own / 10)
        << osd;
  }
  const json& finished = record["totals"]["all"]["finished"]["ops"];
  EXPECT_LE(ours, finished.get<std::uint64_t>());
  EXPECT_GT(ours, finished.get<std::uint64_t>() / 2);

  const Finished shown = test::run(launch({"report", "last"}));
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("What the OSDs counted, from "));
  EXPECT_THAT(shown.out, HasSubstr("Where the time went, means in "));
  EXPECT_THAT(shown.out, HasSubstr("Latencies in the OSD, upper limits"));
}

TEST_F(CountedRuns, PinnedRun_CountsTheReplicasToo) {
  // Time: the OSDs are read at its beginning, near its end, and every five seconds.
  const Finished done = counted("hdd", "randwrite4k,size=2M,object-size=256k",
                                {"--osd", "1", "--rate", "100", "--time", "12", "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const json record = json::parse(done.out);
  std::size_t replicas = 0;
  for (const auto& [osd, figures] : record["osds"].items()) {
    ASSERT_TRUE(figures.contains("counters")) << osd;
    if (osd == "osd.1") {
      EXPECT_GT(figures["write"]["ops"].get<std::uint64_t>(), 0U);
      continue;
    }
    EXPECT_FALSE(figures.contains("write")) << osd;
    EXPECT_TRUE(figures["share_ours"].is_null()) << osd;
    ASSERT_EQ(figures["counters"]["missing"], "") << osd;
    if (figures["counters"]["counts"]["subop_w"].get<std::uint64_t>() > 0) ++replicas;
  }
  EXPECT_GT(replicas, 0U);
}

// The row "Where the time went" of the writes: total, client, network, queue, execution, replicas,
// commit and device, in ms; 0 where there is none.
std::vector<double> way_of_writes(const std::string& report) {
  const std::size_t table = report.find("Where the time went, means in ");
  if (table == std::string::npos) throw std::runtime_error("no such table:\n" + report);
  std::istringstream lines(report.substr(table));
  std::string line;
  std::getline(lines, line);
  const double unit = line.ends_with(" us:") ? 1e-3 : line.ends_with(" ms:") ? 1 : 1e3;
  std::vector<double> row;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    if (!(cells >> cell) || cell != "write") continue;
    while (cells >> cell) {
      std::erase(cell, ',');
      row.push_back(cell == "-" ? 0 : unit * std::stod(cell));
    }
    return row;
  }
  throw std::runtime_error("no row of writes:\n" + report);
}

TEST_F(CountedRuns, ASlowedDrive_IsWhereTheTimeWent) {
  const DriveSetting drive("0", "iops=25");
  if (!drive.in_force()) GTEST_SKIP() << "drives are not emulated here";
  const auto way = [&](const char* osd) {
    // Time: the OSD is read at its beginning, near its end, and every five seconds.
    const Finished done =
        counted("hdd1", "randwrite4k,qd=1,size=1M,object-size=256k", {"--osd", osd, "--time", "6"});
    EXPECT_EQ(done.status, 0) << done.err;
    return way_of_writes(done.out);
  };
  const auto slow = way("0");
  const auto fast = way("3");
  ASSERT_EQ(slow.size(), 8U);
  ASSERT_EQ(fast.size(), 8U);
  const double own = slow[6] + slow[7];
  EXPECT_GE(own, 40) << "25 I/Os a second take 40 ms each";
  EXPECT_GT(own, slow[0] / 2) << "not what the client, the network or a queue took";
  EXPECT_LT(fast[6] + fast[7], own / 2) << "a drive that is not slowed";
}

}  // namespace
}  // namespace radosload::test
