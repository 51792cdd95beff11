#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "report/facts.h"
#include "report/format.h"
#include "report/layout.h"
#include "report/list.h"
#include "report/text.h"
#include "support/golden.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

using test::expect_golden;
using testing::lines_of;
using testing::run_of;
using testing::Scenario;

TEST(ReportText, AMixedRunInAClosedLoop) {
  expect_golden("text-mixed.txt", text(run_of({}), "/home/u/20261121-040012-9f3a.json"));
}

// Everything that can be said of a run that went badly.
TEST(ReportText, AnOpenLoopRunWithEveryTrouble) {
  Scenario scenario;
  scenario.plan = R"({"pool":"hdd","pattern":"randread4k","dist":"zipf:0.99","bs":"4k","qd":64,
    "size":"1G","object-size":"4M","cache":"bypass","verify":"off","rate":"400,poisson",
    "time":"1m","warmup":"5s","seed":42})";
  scenario.seconds = 3;
  scenario.reads_in_four = 4;
  scenario.delay = std::chrono::milliseconds(25);
  scenario.failing_every = 9;
  record::RunRecord record = run_of(scenario);
  record.status = record::RunStatus::interrupted;
  record.ended_by = record::EndedBy::sigint;
  record.grade = {.value = record::GradeValue::contaminated,
                  .reasons = {"osd.3 restarted", "12 slow ops"}};
  record.unfinished = 2;
  record.unissued = 7;
  record.measured_flow.cancelled = 1;
  record.warnings = {
      "the mgr's balancer is on, and it moved placement groups of this pool while "
      "the run measured it"};
  expect_golden("text-trouble.txt", text(record, ""));
}

TEST(ReportText, LateSending_IsReportedIfItShiftsTheMedian) {
  record::RunRecord record = run_of({});
  for (int i = 0; i < 1000; ++i) record.lateness.add(40'000);
  EXPECT_EQ(text(record, "").find("sent late"), std::string::npos) << "2 % of 2 ms";
  for (int i = 0; i < 2000; ++i) record.lateness.add(200'000);
  const std::string said = text(record, "");
  EXPECT_NE(said.find("sent late median 200 us after they were due"), std::string::npos) << said;
  EXPECT_NE(said.find("10 % of the median response time"), std::string::npos) << said;
}

TEST(ReportText, LateSending_NamesWhatWasNeverSent) {
  record::RunRecord record = run_of({});
  for (int i = 0; i < 3000; ++i) record.lateness.add(200'000);
  EXPECT_THAT(text(record, ""), HasSubstr("p99 200 us: 10 % of"));
  record.unissued = 1998;
  EXPECT_THAT(text(record, ""), HasSubstr("p99 200 us (of those sent; 1,998 were never sent): "));
}

TEST(ReportText, Lateness_IsComparedWithTheMedianOfAllDueOperations) {
  record::RunRecord record = run_of({});
  for (int i = 0; i < 3000; ++i) record.lateness.add(200'000);
  const auto losing = [&record](std::uint64_t waited_ns) {
    record::RunRecord more = record;
    for (int i = 0; i < 30'000; ++i) more.kinds[0].lost.response.add(waited_ns);
    return text(more, "");
  };
  EXPECT_NE(text(record, "").find("10 % of the median response time"), std::string::npos);
  EXPECT_EQ(losing(8'000'000'000).find("sent late"), std::string::npos) << "of more than 8 s";
  EXPECT_NE(losing(3'000'000).find("at most 7 % of the median response time"), std::string::npos)
      << losing(3'000'000);
}

TEST(ReportText, RunWithoutAWatch_IsNotGradedWithTheReason) {
  const std::string said = text(run_of({}), "");
  EXPECT_NE(said.find("grade     not graded (recovery and scrubs were not watched)"),
            std::string::npos)
      << said;
}

TEST(ReportText, PicturesAreAsWideAsTheTerminal) {
  const std::string wide = text(run_of({}), "", {.columns = 120, .unicode = true});
  std::size_t widest = 0;
  for (const std::string& line : lines_of(wide)) widest = std::max(widest, text_width(line));
  EXPECT_EQ(widest, 120U);
  EXPECT_NE(wide.find("█"), std::string::npos);
}

TEST(ReportText, ARunThatMeasuredNothing) {
  Scenario scenario;
  scenario.seconds = 0;
  expect_golden("text-empty.txt", text(run_of(scenario), ""));
}

RC_GTEST_PROP(ReportText, NoLine_IsWiderThan100Columns, ()) {
  record::RunRecord record = record::testing::folded(*record::testing::runs());
  std::string words;
  for (int i = 0; i < 60; ++i)
    words += std::string(*rc::gen::inRange<std::size_t>(1, 20), 'x') + ' ';
  record.warnings = {words};
  for (const std::string& line : lines_of(text(record, "/some/where.json"))) {
    RC_ASSERT(line.size() <= page_width);
    RC_ASSERT(!line.ends_with(' '));
  }
}

TEST(ReportText, ListOfRuns) {
  Scenario other = testing::only(OpKind::read);
  other.run_id = "20261120-120000-0001";
  other.failing_every = 9;
  record::RunRecord bad = run_of(other);
  bad.status = record::RunStatus::incomplete;
  bad.grade.value = record::GradeValue::void_run;
  expect_golden("list.txt", list_text(list_rows({run_of({}), bad})));
  EXPECT_EQ(list_text({}), "no saved runs\n");
}

TEST(ReportText, Labels_AreInTheHeadAndInTheList) {
  record::RunRecord labelled = run_of({});
  labelled.header.plan.labels = {{"rack", "3"}, {"host", "n1"}};
  EXPECT_NE(text(labelled, "").find("labels    host=n1, rack=3\n"), std::string::npos);
  const auto rows = list_rows({labelled, run_of({})});
  EXPECT_NE(list_text(rows).find("state     labels\n"), std::string::npos) << list_text(rows);
  EXPECT_NE(list_text(rows).find("complete  host=n1,rack=3\n"), std::string::npos);
  EXPECT_EQ(with_labels(rows, {}).size(), 2U);
  EXPECT_EQ(with_labels(rows, {{"rack", "3"}}).size(), 1U);
  EXPECT_EQ(with_labels(rows, {{"rack", "3"}, {"host", "n1"}}).size(), 1U);
  EXPECT_TRUE(with_labels(rows, {{"rack", "4"}}).empty());
  EXPECT_TRUE(with_labels(rows, {{"rack", "3"}, {"shelf", "1"}}).empty());
}

TEST(ReportFormat, NamesAreThoseOfTheOption) {
  EXPECT_EQ(parse_format("text"), Format::text);
  EXPECT_EQ(parse_format("json"), Format::json);
  EXPECT_EQ(parse_format("rados-bench"), Format::rados_bench);
  EXPECT_EQ(parse_format("rados-bench-json"), Format::rados_bench_json);
  const auto unknown = parse_format("xml");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().exit, Exit::usage);
  EXPECT_NE(unknown.error().message().find("rados-bench-json"), std::string::npos);
}

TEST(ReportFormat, EveryFormatRendersTheRecord) {
  const record::RunRecord run = run_of({});
  EXPECT_EQ(render(run, Format::text, "x"), text(run, "x"));
  EXPECT_TRUE(render(run, Format::json, "").starts_with("{\n \"schema\": \"radosload.run/1\""));
  EXPECT_TRUE(render(run, Format::rados_bench, "").starts_with("Maintaining 64 concurrent ops"));
  EXPECT_TRUE(render(run, Format::rados_bench_json, "").starts_with("{\"concurrent_ios\":\"64\""));
}

TEST(ReportFacts, VersionsAreTheNumbersOfWhatTheDaemonsRun) {
  record::RunRecord run;
  const auto versions = [&](std::map<std::string, std::uint32_t> counts) {
    run.header.environment.ceph_versions = std::move(counts);
    return versions_text(run);
  };
  EXPECT_EQ(versions({{"ceph version 18.2.7 (6b0) reef (stable)", 9}}), "18.2.7");
  EXPECT_EQ(versions({{"16.2.15 pacific", 4}, {"18.2.7 reef", 1}}), "16.2.15, 18.2.7");
  EXPECT_EQ(versions({}), "");
}

TEST(ReportFacts, RunOfHours_HasItsLengthInHoursAndDaysToo) {
  record::RunRecord record = run_of({});
  record.measured = std::chrono::minutes(59);
  EXPECT_THAT(measured_text(record), ::testing::StartsWith("3540.0 s after "));
  record.measured = std::chrono::hours(30 * 24);
  EXPECT_THAT(measured_text(record), ::testing::StartsWith("2592000.0 s (30 d 0 h) after "));
}

TEST(ReportLayout, NumbersForPeople_AreRounded) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(rate_text(0), "0");
  EXPECT_EQ(rate_text(8.123), "8.12");
  EXPECT_EQ(rate_text(81.23), "81.2");
  EXPECT_EQ(rate_text(99.96), "100");
  EXPECT_EQ(rate_text(12345.6), "12,346");
  EXPECT_EQ(time_text(std::nullopt), "-");
}

TEST(ReportLayout, ColumnsAlignAndParagraphsWrap) {
  Table table({{"name", Align::left}, {"n"}});
  table.add({"é", "1"});
  table.add({"longer", "1,000"});
  EXPECT_EQ(table.text(2),
            "  name        n\n"
            "  é           1\n"
            "  longer  1,000\n");
  const std::string word(60, 'x');
  EXPECT_EQ(paragraph("a", word + " " + word, 2, 4),
            "  a   " + word + "\n" + "      " + word + "\n");
}

TEST(ReportFacts, ARunOnImagesNamesThemAndWhereTheirDataIs) {
  testing::Scenario scenario;
  scenario.plan.replace(scenario.plan.find("hdd"), 3, R"(ssd","target":"rbd)");
  record::RunRecord run = testing::run_of(scenario);
  run.header.environment = record::testing::environment_of(
      R"({"images": [{"name": "vm1"}, {"name": "vm2"}], "data_pool": {"name": "hdd"}})");
  EXPECT_EQ(where_text(run.header.plan, run.header.environment),
            "images vm1, vm2 in pool ssd, data in pool hdd");
}

TEST(ReportFacts, EtcdVerdict_IsOnThePairOfWriteAndFlush) {
  testing::Scenario scenario;
  EXPECT_EQ(etcd_text(testing::run_of(scenario)), "") << "of no other pattern";
  scenario.plan.replace(scenario.plan.find("randrw4k"), 8, "etcd-wal");
  record::RunRecord run = testing::run_of(scenario);
  EXPECT_EQ(etcd_text(run), "p99 3 ms (durable write): below etcd's limit of 10 ms");
  record::Cell pair;
  pair.kind = OpKind::sync;
  for (int i = 0; i < 1000; ++i) pair.latency.add(12'000'000, 12'000'000);
  run.kinds.push_back(pair);
  EXPECT_EQ(etcd_text(run), "p99 12 ms (write + flush): NOT below etcd's limit of 10 ms");
}

}  // namespace
}  // namespace radosload::report
