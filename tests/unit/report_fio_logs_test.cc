#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "report/compat/fio_logs.h"
#include "support/files.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

using record::RunRecord;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::fixture;
using testing::lines_of;
using testing::only;
using testing::run_of;
using testing::Scenario;

using Row = std::vector<std::int64_t>;

std::vector<Row> rows_of(const std::string& text) {
  std::vector<Row> rows;
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    Row row;
    for (std::int64_t value = 0; words >> value; words.ignore(1)) row.push_back(value);
    rows.push_back(row);
  }
  return rows;
}

std::vector<Row> log_of(const RunRecord& record, FioLog log) {
  return rows_of(fio_log_files(record).at(static_cast<std::size_t>(log)).text);
}

// Feeds a writer, and keeps what it writes.
struct Written {
  std::map<FioLog, std::string> text;
  FioLogWriter writer{kib(4), [this](FioLog log, std::string_view line) { text[log] += line; }};

  void operation(Time at, Time response, Time service,
                 FioDirection direction = FioDirection::read) {
    writer.add(
        FioLatencyRow{.at = at, .direction = direction, .response = response, .service = service});
  }
};

TEST(FioLogs, AllFiveHaveNamesThatTheirReadersFind) {
  const std::vector<FioLogFile> files = fio_log_files(run_of({}));
  std::vector<std::string> names;
  for (const FioLogFile& file : files) names.push_back(file.name);
  const std::string run = "randrw-iodepth-64-numjobs-1_";
  EXPECT_EQ(names,
            (std::vector<std::string>{run + "lat.1.log", run + "slat.1.log", run + "clat.1.log",
                                      run + "bw.1.log", run + "iops.1.log"}));
}

// fio's own are "500, 256, 0, 0, 0"; ours end before the offset.
TEST(FioLogs, LinesAreThoseOfFioWithoutTheOffset) {
  for (const FioLogFile& file : fio_log_files(run_of({}))) {
    const auto ours = lines_of(file.text);
    ASSERT_EQ(ours.size(), 50U) << file.name << ": 25 seconds of reads and writes";
    for (const std::string& line : ours) {
      EXPECT_EQ(std::count(line.begin(), line.end(), ','), 3) << line;
      EXPECT_EQ(line.find_first_not_of("0123456789, "), std::string::npos) << line;
      EXPECT_TRUE(line.ends_with(", 0, 4096") || line.ends_with(", 1, 4096")) << line;
    }
  }
  for (const Row& row : rows_of(fixture("18.2.7", "fio_lat.1.log"))) EXPECT_EQ(row.size(), 5U);
}

TEST(FioLogs, SecondsAddUpToTheRun) {
  const RunRecord record = run_of({});
  std::int64_t operations = 0;
  std::int64_t kib = 0;
  for (const Row& row : log_of(record, FioLog::iops)) operations += row[1];
  for (const Row& row : log_of(record, FioLog::bw)) kib += row[1];
  EXPECT_EQ(operations, 10'000);
  EXPECT_EQ(kib, 40'000);
  EXPECT_EQ(log_of(record, FioLog::iops)[2], (Row{2000, 300, 0, 4096}));
  EXPECT_EQ(log_of(record, FioLog::bw)[3], (Row{2000, 400, 1, 4096}));
}

TEST(FioLogs, LatenciesAreTheMeansOfTheirSecond) {
  const RunRecord record = run_of({});
  const auto lat = log_of(record, FioLog::lat);
  const record::Figures& reads = record.timeline[0].kinds.at(OpKind::read);
  EXPECT_EQ(lat[0], (Row{1000, reads.mean.count(), 0, 4096}));
  EXPECT_EQ(lat, log_of(record, FioLog::clat));
  for (const Row& row : log_of(record, FioLog::slat)) EXPECT_EQ(row[1], 0);
}

TEST(FioLogs, InAnOpenLoopLatIsSlatAndClat) {
  Scenario scenario;
  scenario.delay = milliseconds(10);  // of every fifth operation
  const RunRecord record = run_of(scenario);
  const auto lat = log_of(record, FioLog::lat);
  const auto slat = log_of(record, FioLog::slat);
  const auto clat = log_of(record, FioLog::clat);
  for (std::size_t i = 0; i < lat.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(slat[i][1]), 2e6, 2e4);
    EXPECT_NEAR(static_cast<double>(lat[i][1]), static_cast<double>(slat[i][1] + clat[i][1]), 1);
  }
}

TEST(FioLogs, SecondWithoutAnswers_HasZeroRates) {
  RunRecord record = run_of(only(OpKind::write));
  record.timeline[3].kinds.clear();
  EXPECT_EQ(log_of(record, FioLog::iops)[3], (Row{4000, 0, 1, 4096}));
  EXPECT_EQ(log_of(record, FioLog::iops).size(), 25U);
  EXPECT_EQ(log_of(record, FioLog::lat).size(), 24U) << "no operation, no latency";
}

TEST(FioLogs, AnswersInTheDrain_AreInTheLatenciesOnly) {
  Scenario scenario = only(OpKind::write);
  scenario.seconds = 3;
  RunRecord record = run_of(scenario);
  record.measured = seconds(2);
  EXPECT_EQ(log_of(record, FioLog::clat).size(), 3U);
  EXPECT_EQ(log_of(record, FioLog::bw).size(), 2U);
}

TEST(FioLogs, FlushesAndPairs_DoNotCountAsWrites) {
  RunRecord record = run_of(only(OpKind::write));
  const auto before = fio_log_files(record);
  record::Figures slow;
  slow.ops = 400;
  slow.mean = slow.mean_service = seconds(1);
  for (record::TimelineRow& row : record.timeline) {
    row.kinds[OpKind::flush] = slow;
    row.kinds[OpKind::sync] = slow;
  }
  const auto after = fio_log_files(record);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i].text, before[i].text);
}

// CBT adds up the rows of a millisecond and direction.
TEST(FioLogs, OperationsOfOneMillisecondBecomeTheirMean) {
  Written written;
  written.operation(microseconds(5100), microseconds(300), microseconds(200));
  written.operation(microseconds(5200), microseconds(900), microseconds(900), FioDirection::write);
  written.operation(microseconds(5900), microseconds(500), microseconds(400));
  written.operation(microseconds(6000), microseconds(100), microseconds(100));
  written.writer.finish();
  EXPECT_EQ(written.text[FioLog::lat],
            "5, 400000, 0, 4096\n5, 900000, 1, 4096\n6, 100000, 0, 4096\n");
  EXPECT_EQ(written.text[FioLog::clat],
            "5, 300000, 0, 4096\n5, 900000, 1, 4096\n6, 100000, 0, 4096\n");
  EXPECT_EQ(written.text[FioLog::slat], "5, 100000, 0, 4096\n5, 0, 1, 4096\n6, 0, 0, 4096\n");
}

TEST(FioLogs, Means_AreWeightedByTheirOperations) {
  Written written;
  written.writer.add(
      FioLatencyRow{.at = milliseconds(7), .response = Time(100), .service = Time(100)});
  written.writer.add(FioLatencyRow{
      .at = milliseconds(7), .response = Time(500), .service = Time(500), .operations = 3});
  written.writer.finish();
  EXPECT_EQ(written.text[FioLog::lat], "7, 400, 0, 4096\n");
}

TEST(FioLogs, TimeNeverGoesBack) {
  Written written;
  written.operation(milliseconds(8), microseconds(1), microseconds(1));
  written.operation(milliseconds(6), microseconds(3), microseconds(3));
  written.writer.finish();
  EXPECT_EQ(written.text[FioLog::lat], "8, 2000, 0, 4096\n");
}

TEST(FioLogs, NothingMeasuredIsFiveEmptyFiles) {
  const auto files = fio_log_files(RunRecord{});
  EXPECT_EQ(files.size(), 5U);
  for (const FioLogFile& file : files) EXPECT_EQ(file.text, "");
}

}  // namespace
}  // namespace radosload::report
