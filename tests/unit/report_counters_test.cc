// The tables of what OSDs counted, and where the time of an operation went.
#include <numeric>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/counters_text.h"
#include "report/layout.h"
#include "report/text.h"
#include "report/time_parts.h"
#include "support/golden.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

using record::OsdWindow;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::uint64_t ops = 1000;

TimedCount taking(std::uint64_t count, double ms) {
  return {.count = count, .seconds = static_cast<double>(count) * ms / 1000};
}

// An OSD that led 1,000 writes of 8 ms: 1 in the queue, 1 until they were executed, 6 to commit, of
// which 4 its own, 3 of them on devices.
OsdWindow writing(std::int32_t osd, const std::string& kind = "plain") {
  OsdWindow window{.osd = osd, .kind = kind, .ours = 980};
  window.from = std::chrono::milliseconds(2);
  window.to = std::chrono::milliseconds(24'004);
  OsdCounters& grown = window.growth;
  grown.counts = {{"op", ops},
                  {"op_r", 0},
                  {"op_w", ops},
                  {"op_rw", 0},
                  {"subop_w", 2 * ops},
                  {"onode_hits", 900},
                  {"onode_misses", 100},
                  {"buffer_hit_bytes", 0},
                  {"buffer_miss_bytes", 4096},
                  {"write_big", 0},
                  {"write_small", 3 * ops},
                  {"deferred", 3 * ops},
                  {"wal_bytes", 3 * ops * 8192},
                  {"sst_bytes", 1U << 20U},
                  {"slow_bytes", 1U << 21U},
                  {"compact", 1}};
  grown.levels = {{"slow_used_bytes", 3U << 20U}, {"compact_running", 1}};
  grown.times = {{"op_latency", taking(ops, 8)},
                 {"op_process", taking(ops, 7)},
                 {"op_prepare", taking(ops, 1)},
                 {"op_w_latency", taking(ops, 8)},
                 {"op_w_process", taking(ops, 7)},
                 {"op_w_prepare", taking(ops, 1)},
                 {"subop_w_latency", taking(2 * ops, 5 + osd)},
                 {"txc_commit", taking(3 * ops, 4)},
                 {"state_aio_wait", taking(3 * ops, 1)},
                 {"state_kv_queued", taking(3 * ops, 0.5)},
                 {"state_kv_committing", taking(3 * ops, 2)},
                 {"kv_flush", taking(1500, 0.25)},
                 {"kv_commit", taking(1500, 1.75)},
                 {"read_device", taking(0, 0)}};
  return window;
}

// A run whose writes all take the time.
record::RunRecord writes_of(double ms) {
  record::RunRecord run = testing::run_of(testing::only(OpKind::write));
  // The last second is after the last reading, and must not count.
  for (record::TimelineRow& row : run.timeline) {
    const bool last = &row == &run.timeline.back();
    const Time mean = std::chrono::duration_cast<Time>(
        std::chrono::duration<double, std::milli>(last ? 100 * ms : ms));
    record::Figures figures;
    figures.timed = 120;
    figures.mean = mean;
    figures.mean_service = mean;
    row.kinds = {{OpKind::write, figures}};
    for (const std::int32_t osd : {0, 1, 2}) row.osds.set(osd, figures);
  }
  return run;
}

std::vector<OsdWindow> three() {
  OsdWindow gone{.osd = 7, .kind = "plain", .missing = "osd.7 was restarted"};
  return {writing(0, "plain"), writing(1, "wal"), writing(2, "db"), gone};
}

TEST(CountersText, OfARun_ShowsEachOsdAndWhereTheTimeWent) {
  const auto run = writes_of(9);
  const std::string shown = counters_text(three(), &run);
  test::expect_golden("counters-run.txt", shown);
  for (const std::string& line : testing::lines_of(shown)) EXPECT_LE(text_width(line), 80U) << line;
}

TEST(CountersText, WithoutARun_ShowsNothingOfAClient) {
  const std::string shown = counters_text(three());
  test::expect_golden("counters-watch.txt", shown);
  EXPECT_THAT(shown, Not(HasSubstr("this run")));
  EXPECT_THAT(shown, Not(HasSubstr("Where the time went")));
}

TEST(CountersText, WithoutWindows_IsEmpty) {
  EXPECT_EQ(counters_text({}), "");
  EXPECT_THAT(text(testing::run_of({}), ""), Not(HasSubstr("What the OSDs counted")));
}

TEST(CountersText, IsPartOfTheReportOfARun) {
  record::RunRecord run = writes_of(9);
  run.counters = three();
  const std::string shown = text(run, "");
  EXPECT_THAT(shown, HasSubstr("What the OSDs counted, from 0.0 to 24.0 s of the measured phase"));
  EXPECT_THAT(shown, HasSubstr("missing   osd.7 was restarted"));
}

TEST(CountersText, OsdsWithoutCounters_AreNotAllListed) {
  std::vector<OsdWindow> windows;
  for (std::int32_t osd = 0; osd < 30; ++osd) windows.push_back({.osd = osd, .missing = "denied"});
  const std::string shown = counters_text(windows);
  EXPECT_THAT(shown, HasSubstr("No counters of the OSDs"));
  EXPECT_THAT(shown, HasSubstr("osd.0: denied"));
  EXPECT_THAT(shown, Not(HasSubstr("osd.9")));
  EXPECT_THAT(shown, HasSubstr("30 OSDs in all"));
}

TEST(CountersText, Spillover_IsThatOfOsdsWithADbOnly) {
  EXPECT_THAT(counters_text({writing(0, "plain"), writing(1, "wal")}), Not(HasSubstr("spilled")));
  EXPECT_THAT(counters_text({writing(0, "")}), Not(HasSubstr("spilled"))) << "unknown";
  EXPECT_THAT(counters_text({writing(0, "db+wal")}), HasSubstr("spilled"));
}

TEST(CountersText, ReleaseWithFewCounters_ShowsThose) {
  OsdWindow window{.osd = 3, .to = std::chrono::seconds(5)};
  window.growth.counts["op"] = 12;
  const std::string shown = counters_text({window});
  EXPECT_THAT(shown, HasSubstr("osd.3  ?         5.0          12"));
  EXPECT_THAT(shown, Not(HasSubstr("BlueStore")));
}

double sum_of_parts(const TimeParts& row) {
  return row.client + row.network + row.queue + row.execution + row.replicas.value_or(0) +
         row.commit.value_or(0) + row.device.value_or(0) + row.unknown.value_or(0);
}

TEST(TimeParts, OfAWrite_FollowEachOtherAndAddUp) {
  const auto rows = time_parts(three(), writes_of(9));
  ASSERT_THAT(rows, SizeIs(1));
  const TimeParts& row = rows[0];
  constexpr double ms = 1e6;
  EXPECT_NEAR(row.total, 9 * ms, ms / 100);
  EXPECT_NEAR(row.client, 0, 1);
  EXPECT_NEAR(row.network, ms, ms / 100);
  EXPECT_NEAR(row.queue, ms, 1);
  EXPECT_NEAR(row.execution, ms, 1);
  EXPECT_NEAR(*row.replicas, 2 * ms, 1);
  EXPECT_NEAR(*row.commit, ms, 1);
  EXPECT_NEAR(*row.device, 3 * ms, 1);
  EXPECT_NEAR(sum_of_parts(row), row.total, 1);
}

TEST(TimeParts, SlowDrive_IsTheDevice) {
  auto windows = three();
  for (OsdWindow& window : windows) {
    for (const char* const name : {"op_latency", "op_process", "op_w_latency", "op_w_process"}) {
      window.growth.times[name].seconds += 100;
    }
    window.growth.times["txc_commit"].seconds += 300;
    window.growth.times["state_kv_committing"].seconds += 300;
  }
  const auto rows = time_parts(windows, writes_of(109));
  EXPECT_NEAR(*rows.at(0).device, 103e6, 1);
  EXPECT_NEAR(sum_of_parts(rows[0]), rows[0].total, rows[0].total / 100);
}

TEST(TimeParts, PausedReplica_IsTheReplicasAndIsNamed) {
  auto windows = three();
  for (OsdWindow& window : windows) {
    for (const char* const name : {"op_latency", "op_process", "op_w_latency", "op_w_process"}) {
      window.growth.times[name].seconds += 100;
    }
  }
  windows[1].growth.times["subop_w_latency"].seconds += 200;
  const auto run = writes_of(109);
  EXPECT_NEAR(*time_parts(windows, run).at(0).replicas, 102e6, 1);
  EXPECT_THAT(counters_text(windows, &run), HasSubstr("osd.1, 106 ms for a write as replica"));
  windows[1].growth.times["subop_w_latency"].seconds -= 200;
  EXPECT_THAT(counters_text(windows, &run), HasSubstr("a replica that stood still"))
      << "one that is stopped counts nothing";
}

TEST(TimeParts, ErasureCodedPool_NamesWhatIsUnknown) {
  auto run = writes_of(9);
  run.header.environment.pool->erasure = true;
  const auto rows = time_parts(three(), run);
  EXPECT_FALSE(rows.at(0).replicas);
  EXPECT_NEAR(*rows[0].unknown, 2e6, 1);
  EXPECT_THAT(counters_text(three(), &run), HasSubstr("unknown   2.00 ms of a write"));
}

TEST(TimeParts, PoolOfOneReplica_HasNone) {
  auto run = writes_of(9);
  run.header.environment.pool->size = 1;
  const auto rows = time_parts(three(), run);
  EXPECT_FALSE(rows.at(0).replicas);
  EXPECT_NEAR(sum_of_parts(rows[0]), rows[0].total, 1e4);
}

TEST(TimeParts, OtherClients_HideWhereTheTimeWent) {
  auto windows = three();
  for (OsdWindow& window : windows) window.ours = 500;
  const auto run = writes_of(9);
  const std::string shown = counters_text(windows, &run);
  EXPECT_THAT(shown, Not(HasSubstr("Where the time went, means")));
  EXPECT_THAT(shown, HasSubstr("50 % of the operations on these OSDs"));
}

TEST(TimeParts, OfARead_AreDeviceAndExecution) {
  auto run = writes_of(5);
  for (record::TimelineRow& row : run.timeline) {
    row.kinds = {{OpKind::read, row.kinds[OpKind::write]}};
  }
  OsdWindow window = writing(0);
  window.growth.times["op_r_latency"] = taking(ops, 4);
  window.growth.times["op_r_process"] = taking(ops, 3);
  window.growth.times["op_r_prepare"] = taking(ops, 3);
  window.growth.times["read_device"] = taking(ops / 2, 4);  // the others came from memory
  const auto rows = time_parts({window}, run);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].kind, "read");
  EXPECT_NEAR(rows[0].queue, 1e6, 1);
  EXPECT_NEAR(*rows[0].device, 2e6, 1);
  EXPECT_NEAR(rows[0].execution, 1e6, 1);
}

}  // namespace
}  // namespace radosload::report
