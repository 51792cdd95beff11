// Series as text: a sweep, kbench's own table, comparisons, the list.
#include <gtest/gtest.h>

#include "plan/suites.h"
#include "record/drive_profile.h"
#include "report/list.h"
#include "report/series_compare.h"
#include "report/series_text.h"
#include "support/golden.h"
#include "unit/report_support.h"

#include <fmt/format.h>

namespace radosload::report {
namespace {

using record::Series;
using record::SeriesStep;
using record::StepState;
using test::expect_golden;
using testing::lines_of;
using testing::run_of;
using testing::Scenario;

Series series_of(const std::string& id) {
  return {.id = id,
          .started = "2026-11-21T04:00:12Z",
          .program = "radosload 0.1.0",
          .title = "randrw4k,qd=1:4:16:64",
          .suite = "",
          .steps = {}};
}

SeriesStep step_of(const Scenario& scenario, const std::string& name,
                   const SeriesStep::Settings& settings) {
  SeriesStep step{.name = name,
                  .settings = settings,
                  .plan = plan::testing::plan_of(scenario.plan),
                  .state = StepState::done,
                  .reason = {},
                  .record = run_of(scenario)};
  step.record->client = {.user_s = 0.4, .system_s = 0.1, .peak_rss_mib = 60};
  return step;
}

Series sweep(int ops_per_second = 100) {
  Series series = series_of("s20261121-040012-9f3a");
  for (const int qd : {1, 4, 16, 64}) {
    Scenario scenario;
    scenario.run_id = fmt::format("20261121-0400{:02}-9f3a", qd);
    scenario.ops_per_second = ops_per_second + qd;
    series.steps.push_back(
        step_of(scenario, fmt::format("qd={}", qd), {{"qd", std::to_string(qd)}}));
  }
  return series;
}

// Everything that can be said of a series that went badly.
Series troubled() {
  Series series = sweep();
  Scenario failing;
  failing.failing_every = 9;
  series.steps[0].record = run_of(failing);
  series.steps[0].record->warnings = {"osd.3 is down"};
  series.steps[1].record->status = record::RunStatus::interrupted;
  series.steps[1].record->ended_by = record::EndedBy::sigint;
  series.steps[1].record->measured_flow.cancelled = 4;
  series.steps[1].record->unfinished = 1;
  series.steps[1].record->warnings = {"osd.3 is down"};
  series.steps[1].state = StepState::interrupted;
  series.steps[2].record.reset();
  series.steps[2].state = StepState::failed;
  series.steps[2].reason = "cannot connect to the cluster: it is gone\n  see to it";
  series.steps[3].record.reset();
  series.steps[3].state = StepState::missing;
  return series;
}

Series suite_of(const std::string& suite, const std::string& id, int faster = 0) {
  Series series = series_of(id);
  series.title = series.suite = suite;
  int i = 0;
  for (const auto& suite_step : plan::find_suite(suite)->steps) {
    SeriesStep::Settings settings;
    std::string name;
    for (const auto& place : suite_step.place) {
      settings.emplace_back(place.key, place.value);
      name += (name.empty() ? "" : " ") + place.value;
    }
    Scenario scenario;
    scenario.ops_per_second = 100 + 10 * i++ + faster;
    scenario.seconds = 20;
    series.steps.push_back(step_of(scenario, name, settings));
  }
  return series;
}

Series kbench(const std::string& id, int faster = 0) {
  return suite_of("kbench", id, faster);
}

// On a drive of that medium, with so many operations a second in each step.
Series drive_profile(const std::string& medium, int faster = 0) {
  Series series = suite_of("drive-profile", "s20261121-040012-9f3a", faster);
  for (SeriesStep& step : series.steps) {
    step.record->header.environment.drive.emplace();
    step.record->header.environment.drive->medium = medium;
  }
  return series;
}

TEST(ReportSeries, DriveProfile_SaysWhatTheDriveIsWorth) {
  expect_golden("series-drive-profile.txt", series_text(drive_profile("rotating"), ""));
}

TEST(DriveProfile, LowerOfReadsAndWrites_IsProposedForMclock) {
  const auto rotating = record::drive_profile_of(drive_profile("rotating"));
  EXPECT_EQ(rotating.mclock_options, std::vector<std::string>{"osd_mclock_max_capacity_iops_hdd"});
  EXPECT_EQ(rotating.mclock_iops, rotating.read_iops) << "its step is the slower one here";
  EXPECT_LT(*rotating.read_iops, *rotating.write_iops);
  const auto solid = record::drive_profile_of(drive_profile("solid state"));
  EXPECT_EQ(solid.mclock_options, std::vector<std::string>{"osd_mclock_max_capacity_iops_ssd"});
  EXPECT_EQ(record::drive_profile_of(drive_profile("")).mclock_options.size(), 2U);
}

TEST(DriveProfile, UnfinishedSteps_HaveNoFigures) {
  Series series = drive_profile("rotating");
  for (SeriesStep& step : series.steps) step.state = StepState::interrupted;
  const auto profile = record::drive_profile_of(series);
  EXPECT_FALSE(profile.mclock_iops);
  EXPECT_FALSE(profile.durable_us);
  EXPECT_EQ(profile.wal, record::WalWorth::unknown);
  const std::string text = series_text(series, "");
  EXPECT_NE(text.find("unknown: its step is not done"), std::string::npos) << text;
  EXPECT_EQ(text.find("osd_mclock"), std::string::npos) << text;
}

TEST(DriveProfile, WorthAsWal_IsByTheLatencyOfOneDurableWrite) {
  const auto worth = [](std::uint64_t ns) {
    Series series = drive_profile("solid state");
    for (SeriesStep& step : series.steps) {
      if (step.setting("test") != "durable alone") continue;
      record::Cell cell;
      cell.kind = OpKind::write;
      cell.latency.add(ns, ns);
      step.record->kinds = {cell};
    }
    return record::drive_profile_of(series).wal;
  };
  EXPECT_EQ(worth(190'000), record::WalWorth::good);
  EXPECT_EQ(worth(210'000), record::WalWorth::usable);
  EXPECT_EQ(worth(1'990'000), record::WalWorth::usable);
  EXPECT_EQ(worth(2'050'000), record::WalWorth::poor);
}

TEST(ReportSeries, ASweepIsOneTable) {
  expect_golden("series-sweep.txt", series_text(sweep(), "/home/u/s20261121-040012-9f3a.json"));
}

TEST(ReportSeries, Errors_AreListedByStep) {
  expect_golden("series-trouble.txt", series_text(troubled(), ""));
}

TEST(ReportSeries, KbenchHasItsFamiliarTable) {
  Series series = kbench("s20261121-040012-9f3a");
  series.steps[11].record.reset();
  series.steps[11].state = StepState::missing;
  expect_golden("series-kbench.txt", series_text(series, "/home/u/kbench.json"));
}

TEST(ReportSeries, UnfinishedStep_HasNoFigureInKbenchsTable) {
  Series series = kbench("s1");
  const std::string whole = kbench_text(series);
  EXPECT_EQ(whole.find(" - /"), std::string::npos) << whole;
  series.steps[0].state = StepState::interrupted;  // its record is there
  const std::string text = kbench_text(series);
  EXPECT_NE(text.find(" - /"), std::string::npos) << text;
}

TEST(ReportSeries, LatencyIsInNanosecondsAndBandwidthInKiB) {
  const Series series = kbench("s1");
  const auto& bandwidth = *series.steps[4].record;
  const auto& latency = *series.steps[8].record;
  const std::string text = kbench_text(series);
  const auto kib = static_cast<std::uint64_t>(
      std::llround(record::mib_per_s(bandwidth, record::total_of(bandwidth.kinds)) * 1024));
  EXPECT_NE(text.find(fmt::format(" {} / ", kib)), std::string::npos) << text;
  const double mean = record::total_of(latency.kinds).latency.response().mean();
  EXPECT_NE(text.find(fmt::format(" {} / ", std::llround(mean))), std::string::npos) << text;
}

TEST(ReportSeries, SettingsThatDoNotFitAPageGetNumbers) {
  Series series = sweep();
  for (SeriesStep& step : series.steps) {
    step.settings.emplace_back("object-size", "1048577");
    step.settings.emplace_back("rate", "123456.789/s,poisson");
    step.name += " object-size=1048577 rate=123456.789/s,poisson";
  }
  const std::string text = series_text(series, "");
  for (const std::string& line : lines_of(text)) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_NE(text.find("qd=64 object-size=1048577"), std::string::npos) << text;
}

TEST(ReportSeries, NothingMeasured_ListsTheMissingSteps) {
  Series series = sweep();
  for (SeriesStep& step : series.steps) {
    step.state = StepState::missing;
    step.record.reset();
  }
  const std::string text = series_text(series, "");
  EXPECT_NE(text.find("0 of 4 steps"), std::string::npos) << text;
  EXPECT_NE(text.find("missing   qd=1, qd=4, qd=16, qd=64"), std::string::npos) << text;
}

TEST(ReportSeries, ListedWithoutTheRunsThatAreItsSteps) {
  const Series series = sweep();
  std::vector<record::RunRecord> runs = {run_of({})};
  for (const SeriesStep& step : series.steps) runs.push_back(*step.record);
  runs[0].header.run_id = "20261122-000000-0001";
  expect_golden("list-series.txt", list_text(list_rows(runs, {.series = {series, troubled()}})));
  EXPECT_EQ(lines_of(list_text(list_rows(runs, {.series = {series}, .steps = true}))).size(), 7U);
}

std::string compared(const std::vector<Series>& series) {
  const auto text = compare_series_text(series);
  return text ? *text : text.error().message();
}

TEST(CompareSeries, StepByStep) {
  Series other = sweep(150);
  other.id = "s20261122-000000-0001";
  other.steps.pop_back();
  expect_golden("compare-series.txt", compared({sweep(), other}));
}

TEST(CompareSeries, KbenchAgainstKbench) {
  expect_golden("compare-kbench.txt",
                compared({kbench("s20261121-040012-9f3a"), kbench("s20261122-000000-0001", 25)}));
}

TEST(CompareSeries, WithItself_HasNoDifference) {
  for (const Series& series : {sweep(), kbench("s1")}) {
    const std::string text = compared({series, series});
    EXPECT_NE(text.find("+0.0%"), std::string::npos) << text;
    EXPECT_EQ(text.find("-0.0%"), std::string::npos) << text;
    for (const char digit : {'1', '5', '9'}) {
      EXPECT_EQ(text.find(std::string("+") + digit), std::string::npos) << text;
    }
  }
}

TEST(CompareSeries, NoCommonStep_IsAnError) {
  const auto text = compare_series_text({sweep(), kbench("s1")});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().exit, Exit::usage);
  EXPECT_NE(compared({sweep(), troubled()}).find("1 of 4 steps compared"), std::string::npos);
}

}  // namespace
}  // namespace radosload::report
