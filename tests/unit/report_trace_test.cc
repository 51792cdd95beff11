#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "report/compat/rados_bench.h"
#include "report/compat/trace_fio_logs.h"
#include "report/time_unit.h"
#include "report/trace_csv.h"
#include "report/trace_summary.h"
#include "unit/report_support.h"
#include "unit/trace_support.h"

namespace radosload::report {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::lines_of;
using ::testing::Not;
using testing::Scenario;
using trace::TraceRow;
using trace::TraceScan;

// The rows that the run of the scenario would have left.
std::vector<TraceRow> rows_of(const Scenario& scenario) {
  std::vector<TraceRow> rows;
  for (int second = 0; second < scenario.seconds; ++second) {
    for (const Slot& slot : testing::second_of(scenario, second)) {
      rows.push_back(trace::trace_row(slot, Time(0), rows.size() * 4096));
    }
  }
  return rows;
}

std::string summary_of(const std::vector<TraceRow>& rows, TraceFacts facts = {}) {
  TraceScan scan(3);
  scan.add(0, rows);
  facts.files = {"run.npy"};
  facts.rows = rows.size();
  facts.unsound = scan.unsound();
  return trace_summary(facts, scan.record(), scan.slowest());
}

// ---- CSV ----

TEST(TraceCsv, HasAColumnForEachAndLeavesEmptyWhatIsNotKnown) {
  TraceRow row = trace::testing::a_row(2);
  std::string text(trace_csv_head());
  add_trace_csv(text, row);
  row.op = static_cast<std::uint8_t>(OpKind::write);
  row.osd = no_osd;
  row.pg = 31;
  row.rc = -EIO;
  row.client = 7;
  add_trace_csv(text, row);
  EXPECT_THAT(lines_of(text),
              ElementsAre("intended_ns,submit_ns,complete_ns,op,where,bytes,osd,pg,client,rc,error",
                          "2000,2010,2512,read,8192,4096,2,,0,0,",
                          "2000,2010,2512,write,8192,4096,,31,7,-5,EIO"));
}

// ---- the summary ----

TEST(TraceSummary, FiguresAreThoseOfTheRecord) {
  const Scenario scenario{.delay = milliseconds(2), .failing_every = 50};
  const std::string text = summary_of(rows_of(scenario));
  const record::RunRecord record = testing::run_of(scenario);
  const auto& total = record::total_of(record.kinds).latency;
  const TimeUnit ms = unit_between(1e6, 1e6);
  const auto in_ms = [&](const record::Histogram& latency) {
    return in_unit(static_cast<double>(*latency.percentile(record::p99)), ms);
  };
  EXPECT_THAT(text, HasSubstr("10,000 operations"));
  EXPECT_THAT(text, HasSubstr("whole"));
  EXPECT_THAT(text, HasSubstr("Response time in ms"));
  EXPECT_THAT(text, ContainsRegex("all .*" + in_ms(total.response())));
  EXPECT_THAT(text, ContainsRegex("all .*" + in_ms(total.service())));
  EXPECT_THAT(text, ContainsRegex("osd.0 "));
  EXPECT_THAT(text, ContainsRegex("osd.2 "));
  EXPECT_THAT(text, ContainsRegex("errors.*ENOENT"));
  for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 100U) << line;
}

TEST(TraceSummary, LostOperations_AreReportedAndPercentilesAreBounds) {
  std::vector<TraceRow> rows = rows_of(testing::only(OpKind::read));
  for (std::size_t i = 0; i < 1000; ++i) {
    TraceRow row = rows[i];
    row.rc = rc_unissued;
    row.submit_ns = row.complete_ns = row.intended_ns + Time(seconds(8)).count();
    rows.push_back(row);
  }
  const std::string text = summary_of(rows);
  EXPECT_THAT(text, ContainsRegex("lost +1,000 operations due but never sent; percentiles count"));
  EXPECT_THAT(text, ContainsRegex("Response time in ms.*\n.*\n *read +10,000 .* > 8,000"));
  EXPECT_THAT(text, ContainsRegex("Service time in ms.*\n.*\n *read +10,000 [^>]*\n"));
}

TEST(TraceSummary, InAClosedLoopThereIsOneTableOfTimes) {
  EXPECT_THAT(summary_of(rows_of({})), Not(HasSubstr("Service time")));
}

TEST(TraceSummary, NamesTheSlowestWithPlaceAndTimeAndOsd) {
  std::vector<TraceRow> rows = rows_of({.seconds = 2});
  TraceRow& slow = rows[500];
  slow.complete_ns += Time(seconds(3)).count();
  slow.where = mib(9).count + 4096;
  slow.rc = rc_hole;
  slow.pg = 0x1f;
  TraceFacts facts;
  facts.object_size = mib(4);
  const std::string text = summary_of(rows, facts);
  EXPECT_THAT(text, HasSubstr("The 3 slowest"));
  EXPECT_THAT(text, ContainsRegex("1\\.100000 .*9441280 +2 .*osd\\.1 +1f +0 +HOLE"));
}

TEST(TraceSummary, IncompleteTrace_IsReported) {
  TraceFacts facts;
  facts.ended = false;
  std::vector<TraceRow> rows = rows_of({.seconds = 1});
  rows[3].op = 99;
  const std::string text = summary_of(rows, facts);
  EXPECT_THAT(text, HasSubstr("incomplete"));
  EXPECT_THAT(text, Not(HasSubstr("whole")));
  EXPECT_THAT(text, HasSubstr("1 row with impossible values"));
}

TEST(TraceSummary, EmptyTrace_IsReported) {
  EXPECT_THAT(summary_of({}), HasSubstr("no operation"));
}

// ---- the table of rados bench ----

TEST(TraceRadosBench, RowsAndSummaryAreThoseOfTheRecord) {
  const Scenario scenario = testing::only(OpKind::write);
  TraceScan scan(0);
  scan.add(0, rows_of(scenario));
  record::RunRecord traced = scan.record();
  traced.timeline = scan.timeline();
  const std::string text = rados_bench_text(traced);
  const auto value = [](const std::string& from, const std::string& key) {
    for (const std::string& line : lines_of(from)) {
      if (line.starts_with(key + ":")) return line;
    }
    return "no " + key;
  };
  const std::string recorded = rados_bench_text(testing::run_of(scenario));
  for (const char* const key : {"Total writes made", "Write size", "Average Latency(s)",
                                "Max latency(s)", "Min latency(s)"}) {
    EXPECT_EQ(value(text, key), value(recorded, key));
  }
  EXPECT_THAT(text, Not(HasSubstr("Object size"))) << "rows do not know it";
  EXPECT_THAT(text, ContainsRegex("\n    5 +[0-9]+ +20[0-9][0-9] +"));
}

// ---- fio's logs ----

struct Logs {
  std::map<FioLog, std::string> text;
  TraceFioLogs converter{kib(4), [this](FioLog log, std::string_view line) { text[log] += line; }};

  void add(Time at, Time latency, OpKind kind = OpKind::read, int rc = 0) {
    TraceRow row{};
    row.complete_ns = at.count();
    row.submit_ns = (at - latency).count();
    row.intended_ns = row.submit_ns;
    row.bytes = 4096;
    row.op = static_cast<std::uint8_t>(kind);
    row.rc = static_cast<std::int16_t>(rc);
    converter.add(row);
  }
};

TEST(TraceFioLogs, RowsOfAMillisecondAreOneInOrderOfTime) {
  Logs logs;
  logs.add(milliseconds(700), milliseconds(4));
  logs.add(milliseconds(20), milliseconds(1), OpKind::write);
  logs.add(milliseconds(700), milliseconds(2));
  logs.add(milliseconds(30), milliseconds(5));
  logs.add(milliseconds(40), milliseconds(5), OpKind::read, -EIO);
  logs.converter.finish();
  EXPECT_THAT(lines_of(logs.text[FioLog::clat]),
              ElementsAre("20, 1000000, 1, 4096", "30, 5000000, 0, 4096", "700, 3000000, 0, 4096"));
  EXPECT_EQ(logs.converter.late(), 0U);
}

TEST(TraceFioLogs, RowsThatComeFarTooLate_AreCountedAndKeepTheOrder) {
  Logs logs;
  logs.add(milliseconds(10), milliseconds(1));
  logs.add(seconds(100), milliseconds(1));
  logs.add(milliseconds(9), milliseconds(2));
  logs.converter.finish();
  EXPECT_EQ(logs.converter.late(), 1U);
  EXPECT_THAT(
      lines_of(logs.text[FioLog::lat]),
      ElementsAre("10, 1000000, 0, 4096", "11, 2000000, 0, 4096", "100000, 1000000, 0, 4096"));
}

TEST(TraceFioLogs, RatesHaveARowForEverySecond) {
  Logs logs;
  for (int i = 1; i <= 100; ++i) logs.add(milliseconds(10 * i), milliseconds(1));
  logs.add(seconds(3), milliseconds(1));
  logs.converter.finish();
  EXPECT_THAT(lines_of(logs.text[FioLog::iops]),
              ElementsAre("1000, 100, 0, 4096", "2000, 0, 0, 4096", "3000, 1, 0, 4096"));
  EXPECT_THAT(lines_of(logs.text[FioLog::bw]),
              ElementsAre("1000, 400, 0, 4096", "2000, 0, 0, 4096", "3000, 4, 0, 4096"));
}

}  // namespace
}  // namespace radosload::report
