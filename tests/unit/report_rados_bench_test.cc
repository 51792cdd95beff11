#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "report/compat/rados_bench.h"
#include "support/files.h"
#include "support/golden.h"
#include "unit/report_support.h"

#include <nlohmann/json.hpp>

namespace radosload::report {
namespace {

using nlohmann::json;
using test::expect_golden;
using test::fixture;
using testing::lines_of;
using testing::only;
using testing::run_of;

// What CBT's radosbench.py does with a client's output, throwing where Python would.
std::map<std::string, std::string> cbt_parse(const std::string& output) {
  std::map<std::string, std::string> result;
  bool found = false;
  for (const std::string& line : lines_of(output)) {
    found = found || line.find("Total time run") != std::string::npos;
    if (!found) continue;
    const auto colon = line.find(':');
    // `key, val = line.split(":")`: anything but two parts is a ValueError.
    if (colon == std::string::npos || line.find(':', colon + 1) != std::string::npos) {
      throw std::runtime_error("not one colon: '" + line + "'");
    }
    const auto value = line.find_first_not_of(' ', colon + 1);
    result[line.substr(0, colon)] = line.substr(value);
  }
  return result;
}

// The first line in which it stands, as `grep -m1` would find it: the reason for the order.
std::string first_with(const std::string& output, const std::string& text) {
  for (const std::string& line : lines_of(output)) {
    if (line.find(text) != std::string::npos) return line;
  }
  return {};
}

std::vector<std::string> summary_labels(const std::string& output) {
  std::vector<std::string> labels;
  for (const std::string& line : lines_of(output)) {
    if (labels.empty() && !line.starts_with("Total time run")) continue;
    if (line.starts_with("Cleaning up")) break;
    labels.push_back(line.substr(0, line.find(':')));
  }
  return labels;
}

std::size_t value_column(const std::string& output, const std::string& label) {
  const std::string line = first_with(output, label);
  return line.find_first_not_of(' ', line.find(':') + 1);
}

std::vector<std::string> keys_of(const json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(RadosBench, Golden) {
  expect_golden("rados-bench-write.txt", rados_bench_text(run_of(only(OpKind::write))));
  expect_golden("rados-bench-read.txt", rados_bench_text(run_of(only(OpKind::read))));
  expect_golden("rados-bench-mixed.txt", rados_bench_text(run_of({})));
  expect_golden("rados-bench-write.json", rados_bench_json(run_of(only(OpKind::write))));
  expect_golden("rados-bench-read.json", rados_bench_json(run_of(only(OpKind::read))));
}

TEST(RadosBench, CbtReadsTheText) {
  const std::string write = rados_bench_text(run_of(only(OpKind::write)));
  const auto values = cbt_parse(write);
  EXPECT_EQ(values.at("Total time run"), "25");
  EXPECT_EQ(values.at("Total writes made"), "10000");
  EXPECT_EQ(values.at("Write size"), "4096");
  EXPECT_EQ(values.at("Bandwidth (MB/sec)"), "1.5625");
  EXPECT_EQ(values.at("Average IOPS"), "400");
  EXPECT_EQ(first_with(write, "Bandwidth (MB/sec)"), "Bandwidth (MB/sec):     1.5625");
  EXPECT_EQ(cbt_parse(rados_bench_text(run_of(only(OpKind::read)))).at("Total reads made"),
            "10000");
  EXPECT_EQ(cbt_parse(rados_bench_text(run_of({}))).at("Total ops made"), "10000");
  EXPECT_FALSE(write.ends_with("\n\n"));
}

// The text of both releases, after which ours is modelled.
TEST(RadosBench, LabelsAndColumns_AreThoseOfRadosBench) {
  for (const char* version : {"16.2.15", "18.2.7"}) {
    const std::string write = fixture(version, "rados-bench-write.txt");
    const std::string read = fixture(version, "rados-bench-rand.txt");
    const std::string our_write = rados_bench_text(run_of(only(OpKind::write)));
    const std::string our_read = rados_bench_text(run_of(only(OpKind::read)));
    EXPECT_EQ(summary_labels(our_write), summary_labels(write));
    EXPECT_EQ(summary_labels(our_read), summary_labels(read));
    for (const std::string& label : summary_labels(write)) {
      EXPECT_EQ(value_column(our_write, label), value_column(write, label)) << label;
    }
    for (const std::string& label : summary_labels(read)) {
      EXPECT_EQ(value_column(our_read, label), value_column(read, label)) << label;
    }
    EXPECT_EQ(first_with(our_write, "Cur ops"), first_with(write, "Cur ops"));
  }
}

TEST(RadosBench, Json_HasTheKeysOfRadosBenchAndQuotedValues) {
  for (const char* version : {"16.2.15", "18.2.7"}) {
    const json write = json::parse(fixture(version, "rados-bench-write.json"));
    const json read = json::parse(fixture(version, "rados-bench-seq.json"));
    const json our_write = json::parse(rados_bench_json(run_of(only(OpKind::write))));
    const json our_read = json::parse(rados_bench_json(run_of(only(OpKind::read))));
    EXPECT_EQ(keys_of(our_write), keys_of(write));
    EXPECT_EQ(keys_of(our_read), keys_of(read));
    EXPECT_EQ(keys_of(our_write["datas"][1]), keys_of(write["datas"][1]));
    for (const auto& [key, value] : our_write.items()) {
      EXPECT_TRUE(key == "datas" || value.is_string()) << key;
    }
  }
}

// Their own rows fed to our averages: bandwidth per second and its deviation, to the last digit
// that they print.
TEST(RadosBench, RecordedRun_HasTheFiguresOfRadosBench) {
  // rados-bench-hdd-write.txt of 18.2.7: 68, 57 and 50 writes of 4 KiB in three seconds.
  std::vector<record::Interval> intervals;
  record::Folder folder(record::testing::a_header());
  int second = 0;
  for (const std::size_t writes : {68U, 57U, 50U}) {
    std::vector<Slot> finished(writes);
    for (Slot& slot : finished) {
      slot.op.kind = OpKind::write;
      slot.phase = Phase::measure;
      slot.completed = std::chrono::milliseconds(100);
      slot.outcome.bytes = 4096;
    }
    intervals.push_back(record::testing::interval_of(finished, std::chrono::seconds(second++)));
    folder.add(intervals.back());
  }
  folder.add(record::testing::footer_for(intervals));
  const auto ours = cbt_parse(rados_bench_text(folder.record()));
  const std::string theirs = fixture("18.2.7", "rados-bench-hdd-write.txt");
  const auto of_theirs = [&](const std::string& label) {
    return first_with(theirs, label + ":").substr(24);
  };
  for (const char* label : {"Stddev Bandwidth", "Max bandwidth (MB/sec)", "Min bandwidth (MB/sec)",
                            "Stddev IOPS", "Max IOPS", "Min IOPS"}) {
    EXPECT_EQ(ours.at(label), of_theirs(label)) << label;
  }
}

TEST(RadosBench, ASecondWithoutCompletionsShowsADash) {
  BenchRows rows;
  record::TimelineRow row;
  row.length = std::chrono::seconds(1);
  row.in_flight = 8;
  row.flow.submitted = 8;
  EXPECT_EQ(rows.first(),
            "    0       0         0         0         0         0           -           0\n");
  EXPECT_EQ(rows.next(row),
            "    1       8         8         0         0         0           -           0\n");
}

TEST(RadosBench, Head_IsRepeatedAfterTwentyRows) {
  BenchRows rows;
  rows.first();
  record::TimelineRow row;
  row.length = std::chrono::seconds(1);
  row.all.ops = 1;
  row.all.timed = 1;
  row.last_service = row.mean_service = row.min_service = row.max_service =
      std::chrono::milliseconds(250);
  for (int i = 1; i < 20; ++i) EXPECT_EQ(lines_of(rows.next(row)).size(), 1U);
  const auto lines = lines_of(rows.next(row));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "min lat: 0.25 max lat: 0.25 avg lat: 0.25");
  EXPECT_EQ(lines[1] + "\n", BenchRows::head());
}

TEST(RadosBench, AnswersInTheDrain_AreInTheTotalsOnly) {
  testing::Scenario scenario = only(OpKind::write);
  scenario.seconds = 3;
  record::RunRecord record = run_of(scenario);
  record.measured = std::chrono::seconds(2);
  const std::string text = rados_bench_text(record);
  const auto values = cbt_parse(text);
  EXPECT_EQ(values.at("Total writes made"), "1200");
  EXPECT_EQ(values.at("Total time run"), "3") << "until the last answer";
  EXPECT_EQ(values.at("Average IOPS"), "400");
  EXPECT_EQ(values.at("Max IOPS"), "400");
  EXPECT_EQ(first_with(text, "    3 "), "");
}

TEST(RadosBench, HostileRunId_DoesNotBreakTheJson) {
  record::RunRecord record = run_of(only(OpKind::write));
  record.header.run_id = "a\"b\\c\n";
  EXPECT_EQ(json::parse(rados_bench_json(record))["object_prefix"], "radosload_abc");
}

}  // namespace
}  // namespace radosload::report
