// What lost operations look like wherever figures are shown.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/compare.h"
#include "report/compat/fio_json.h"
#include "report/compat/rados_bench.h"
#include "report/facts.h"
#include "report/text.h"
#include "unit/report_support.h"

#include <nlohmann/json.hpp>

namespace radosload::report {
namespace {

using nlohmann::json;
using record::RunRecord;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

// 10,000 reads of 1 to 40 ms, and more that were given up after 8 s.
RunRecord losing(int lost) {
  RunRecord record = testing::run_of(testing::only(OpKind::read));
  record::Cell& cell = record.kinds[0];
  for (int i = 0; i < lost; ++i) {
    cell.lost.service.add(8'000'000'000);
    cell.lost.response.add(8'000'000'000);
  }
  cell.cancelled = static_cast<std::uint64_t>(lost);
  record.measured_flow.cancelled = cell.cancelled;
  return record;
}

// One that was due for 9 s and never sent.
RunRecord with_unsent(RunRecord record) {
  record.kinds[0].lost.response.add(9'000'000'000);
  record.unissued = 1;
  return record;
}

const Comparison::Row& row(const Comparison& comparison, const char* metric) {
  for (const Comparison::Row& candidate : comparison.rows) {
    if (std::string_view(candidate.metric) == metric) return candidate;
  }
  throw std::runtime_error("no such row");
}

TEST(ReportLost, PercentileAmongThem_IsShownAsALowerBound) {
  const std::string page = text(losing(1000), "");
  EXPECT_THAT(page, ContainsRegex("read +10,000 .* +> 8,000 +> 8,000 +> 8,000\n"));
  EXPECT_THAT(page, HasSubstr("1,000 operations cancelled; percentiles count"));
}

// ---- time in which a load stands still ----

// Nine of ten seconds nothing was answered; of 1,000 operations the slowest known percentile takes
// that long.
RunRecord stalling(std::uint64_t each_ns) {
  RunRecord record = testing::run_of(testing::only(OpKind::read));
  record.measured = std::chrono::seconds(10);
  record.kinds.resize(1);
  record.kinds[0].latency = {};
  for (int i = 0; i < 1000; ++i) record.kinds[0].latency.add(each_ns, each_ns);
  record.timeline.resize(10);
  for (int i = 0; i < 10; ++i) {
    record::TimelineRow& row = record.timeline[static_cast<std::size_t>(i)];
    row = {};
    row.start = std::chrono::seconds(i);
    row.length = std::chrono::seconds(1);
    row.all.ops = i == 0 ? 1000 : 0;
  }
  return record;
}

TEST(ReportStalled, ClosedLoop_SaysForHowLongNothingFinished) {
  EXPECT_THAT(text(stalling(1'000'000), ""), HasSubstr("for 9.0 s of 10.0 s nothing finished"));
  RunRecord open = stalling(1'000'000);
  open.header.plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 100};
  EXPECT_EQ(stalled_text(open), "") << "its response times have it";
  EXPECT_EQ(stalled_text(stalling(3'000'000'000)), "") << "each takes three seconds";
  EXPECT_EQ(stalled_text(testing::run_of({})), "");
}

// At qd 64 the stall has 64 slow operations, enough for a slow p99 of 1,064.
TEST(ReportStalled, OperationsOfTheStall_DoNotHideIt) {
  RunRecord record = stalling(1'000'000);
  for (int i = 0; i < 64; ++i) record.kinds[0].latency.add(9'000'000'000, 9'000'000'000);
  EXPECT_THAT(stalled_text(record), HasSubstr("for 9.0 s of 10.0 s nothing finished"));
}

TEST(ReportBacklog, IopsAboveTheRate_NameWhatTheWarmUpLeft) {
  RunRecord record = stalling(1'000'000);
  record.header.plan.arrival = {.law = Arrival::Law::constant, .ops_per_second = 100};
  record.kinds[0].finished.ops = 1600;
  record.carried_flow.completed = 600;
  EXPECT_THAT(text(record, ""),
              HasSubstr("IOPS are above the rate of 100 because 600 operations of "
                        "the warm-up finished after it"));
  record.kinds[0].finished.ops = 1000;
  EXPECT_EQ(backlog_text(record), "");
}

TEST(ReportLost, CompareHasARowAndAWarning) {
  const Comparison comparison = compare({losing(0), with_unsent(losing(3000))});
  EXPECT_EQ(row(comparison, "lost").values[0], 0);
  EXPECT_EQ(row(comparison, "lost").values[1], 3000);
  EXPECT_EQ(row(comparison, "not sent").values[1], 1);
  EXPECT_TRUE(row(comparison, "p50 us").values[1]);
  EXPECT_FALSE(row(comparison, "p90 us").values[1]) << "longer than 8 s, nobody knows";
  EXPECT_THAT(
      comparison.warnings,
      ::testing::Contains(HasSubstr("3,001 of 13,001 operations were lost (3,000 without")));
}

TEST(ReportLost, Fio_CountsThemAsDropped) {
  const json read = json::parse(fio_json(with_unsent(losing(1000))))["jobs"][0]["read"];
  EXPECT_EQ(read["drop_ios"], 1001);
  EXPECT_LT(read["clat_ns"]["percentile"]["90.000000"], 100'000'000);
}

TEST(ReportLost, FioJson_HasAllFiguresOfTheSameOperations) {
  const json read = json::parse(fio_json(with_unsent(losing(1000))))["jobs"][0]["read"];
  EXPECT_EQ(read["clat_ns"]["max"], 8'000'000'000U);
  EXPECT_EQ(read["clat_ns"]["percentile"]["99.000000"], 8'000'000'000U) << "that, or longer";
  EXPECT_EQ(read["clat_ns"]["N"], 11'000);
  EXPECT_EQ(read["lat_ns"]["max"], 9'000'000'000U);
  EXPECT_EQ(read["lat_ns"]["N"], 11'001) << "one was never sent, so it has no clat";
  EXPECT_GT(read["lat_ns"]["mean"], 700'000'000U);
}

TEST(ReportLost, RadosBench_HasTheTimeThatTheyWaitedAsMax) {
  EXPECT_THAT(rados_bench_text(losing(64)), HasSubstr("Max latency(s):       8\n"));
  RunRecord only_lost = losing(64);
  only_lost.kinds[0].latency = {};
  EXPECT_THAT(rados_bench_text(only_lost), HasSubstr("Min latency(s):       8\n"));
}

}  // namespace
}  // namespace radosload::report
