// What lost operations look like wherever figures are shown.
#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/compare.h"
#include "report/compat/fio_json.h"
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

TEST(ReportLost, Fio_CountsThemAsDroppedAndInThePercentiles) {
  const json read = json::parse(fio_json(with_unsent(losing(1000))))["jobs"][0]["read"];
  EXPECT_EQ(read["drop_ios"], 1001);
  EXPECT_EQ(read["clat_ns"]["N"], 10000);
  EXPECT_LT(read["clat_ns"]["percentile"]["90.000000"], 100'000'000);
  EXPECT_EQ(read["clat_ns"]["percentile"]["99.000000"], 8'000'000'000) << "that, or longer";
}

}  // namespace
}  // namespace radosload::report
