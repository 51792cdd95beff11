// The HTML report: names of others stay text, no spike is lost in a long run, and the page of a
// run of 30 days is no longer than one of minutes.
#include <algorithm>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "html/buckets.h"
#include "html/charts.h"
#include "html/comparison_page.h"
#include "html/data.h"
#include "html/escape.h"
#include "html/page.h"
#include "record/record_codec.h"
#include "unit/report_support.h"

#include <fmt/format.h>

namespace radosload::html {
namespace {

using record::RunRecord;
using report::testing::run_of;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string attack = R"x(</style></script><img src=x onerror="alert('1')">&)x";

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// What is ours, without the script of the charts and the style of dygraphs.
std::string without_charts(std::string text) {
  for (const std::string& part :
       {"<script>" + std::string(chart_script()) + "</script>\n", std::string(chart_style())}) {
    const std::size_t at = text.find(part);
    if (at != std::string::npos) text.erase(at, part.size());
  }
  return text;
}

RunRecord hostile_run() {
  RunRecord run = run_of({});
  run.header.plan.pool = attack;
  run.header.plan.pattern.name = attack;
  run.header.plan.labels[attack] = attack;
  run.header.run_id = attack;
  run.header.program = attack;
  run.header.started = attack;
  run.header.environment.fsid = attack;
  run.header.environment.client.host = attack;
  run.warnings = {attack};
  run.grade = {.value = record::GradeValue::contaminated, .reasons = {attack}};
  run.events.push_back({.at = std::chrono::seconds(3), .kind = "mark", .text = attack});
  record::SlowOp slow;
  slow.object = attack;
  slow.service = slow.response = std::chrono::seconds(1);
  run.slowest = {slow};
  // A full link, so that a cause names its interface.
  run.client_load = record::ClientLoad{.interface = attack, .sent = 1ULL << 40, .link_mbit = 1};
  return run;
}

// A second for each maximum; every second belongs to osd.N as well.
RunRecord run_of_maxima(const std::vector<std::uint64_t>& maxima, std::int32_t osds = 1) {
  RunRecord run;
  for (std::size_t i = 0; i < maxima.size(); ++i) {
    record::TimelineRow row;
    row.start = std::chrono::seconds(i);
    row.length = std::chrono::seconds(1);
    row.all.ops = row.all.timed = 1;
    row.all.max = Time(static_cast<Time::rep>(maxima[i]));
    for (std::int32_t osd = 0; osd < osds; ++osd) row.osds.set(osd, row.all);
    run.timeline.push_back(row);
  }
  run.measured = std::chrono::seconds(maxima.size());
  return run;
}

TEST(HtmlPage, HostileNames_StayText) {
  const std::string text = without_charts(page(hostile_run()));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_EQ(count_of(text, "<script"), 1U) << "the data, which is no script";
  EXPECT_EQ(count_of(text, "</script"), 1U);
  EXPECT_EQ(count_of(text, "</style>"), 1U);
  EXPECT_THAT(text, Not(HasSubstr("onerror=\"")));
  EXPECT_GE(count_of(text, "&lt;img src=x"), 12U);
}

TEST(HtmlPage, CauseIsShownWithItsEvidenceAndItsCommand) {
  RunRecord run = run_of({});
  EXPECT_THAT(page(run), Not(HasSubstr("What explains the figures")));
  run.client_load =
      record::ClientLoad{.interface = "eth0", .sent = 1ULL << 40, .link_mbit = 1, .cpus = 1};
  const std::string text = page(run);
  EXPECT_THAT(text, HasSubstr("What explains the figures"));
  EXPECT_THAT(text, HasSubstr("network link eth0 is full"));
  EXPECT_THAT(text, HasSubstr("of 1 Mbit/s were used"));
  EXPECT_THAT(text, HasSubstr("refuted if"));
}

TEST(HtmlPage, ForbidsEveryRequestAndAllScriptsButItsOwn) {
  const std::string whole = page(run_of({}));
  EXPECT_THAT(whole,
              HasSubstr("Content-Security-Policy\" content=\"default-src 'none'; script-src " +
                        std::string(chart_script_source()) + "; style-src"));
  EXPECT_THAT(std::string(chart_script_source()),
              ::testing::MatchesRegex("'sha256-[A-Za-z0-9+/]{43}='"));
  EXPECT_THAT(page(RunRecord()), HasSubstr("default-src 'none'; style-src"))
      << "without a chart there is no script to permit";
  const std::string text = without_charts(whole);
  for (const char* const word : {"<script>", "<script src", "src=", "href=", "url(", "@import"}) {
    EXPECT_THAT(text, Not(HasSubstr(word))) << word;
  }
}

TEST(HtmlPage, ShowsFiguresPicturesEventsAndSettings) {
  RunRecord run = run_of({});
  run.events.push_back({.at = std::chrono::seconds(3), .kind = "mark", .text = "disk pulled"});
  const std::string text = page(run);
  EXPECT_THAT(text, HasSubstr("pool hdd: 400 IOPS"));
  EXPECT_EQ(count_of(text, "<svg"), 3U);
  EXPECT_EQ(count_of(text, "<title id="), 3U);
  EXPECT_EQ(count_of(text, "<desc id="), 3U);
  EXPECT_THAT(text, HasSubstr("<li>3.0 s: disk pulled</li>"));
  EXPECT_THAT(text, HasSubstr(" --seed 42"));
  EXPECT_THAT(text, HasSubstr("osd.2"));
}

TEST(HtmlPage, DataOfAPage_AreTheRecordsAgain) {
  const RunRecord run = run_of({});
  const auto kept = kept_in(page(run), "run.html");
  ASSERT_TRUE(kept) << kept.error().message();
  ASSERT_EQ(kept->runs.size(), 1U);
  EXPECT_EQ(record::to_json(kept->runs[0]), record::to_json(run));
  RunRecord named = run;
  named.header.plan.pool = attack + "<!-- <script>";
  const std::string text = without_charts(page(named));
  EXPECT_EQ(count_of(text, "<!--"), 0U);
  EXPECT_EQ(count_of(text, "</script"), 1U);
  const auto hostile = kept_in(text, "run.html");
  ASSERT_TRUE(hostile) << hostile.error().message();
  EXPECT_EQ(hostile->runs[0].header.plan.pool, named.header.plan.pool);
}

TEST(HtmlPage, HostilePages_AreRefused) {
  const std::string good = page(run_of({}));
  const std::string begin = R"(<script type="application/json" id="radosload-data">)";
  const auto with = [&](const std::string& data) {
    return "<!DOCTYPE html>" + begin + data + "</script>";
  };
  for (const std::string& bad :
       {std::string("<!DOCTYPE html>"), good.substr(0, good.find("</script>")), with("{"),
        with("[]"), with(R"({"schema":"radosload.page/1"})"),
        with(R"({"schema":"radosload.page/1","documents":[]})"),
        with(R"({"schema":"radosload.page/1","documents":[7]})"),
        with(R"({"schema":"radosload.page/1","packed":"AAAA"})"),
        with(std::string(50'000, '[') + std::string(50'000, ']')),
        with(R"({"schema":"radosload.page/1","documents":[],"comparison":{"level":"x"}})")}) {
    const auto kept = kept_in(bad, "bad.html");
    ASSERT_FALSE(kept) << bad.substr(0, 200);
    EXPECT_THAT(kept.error().message(), HasSubstr("bad.html"));
  }
}

// What the chart of a page draws: rows of begin, IOPS, p99 and slowest operation.
std::vector<std::string> chart_rows(const std::string& text) {
  const std::string before = "data-rows=\"";
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos) return {};
  const std::size_t at = begin + before.size();
  std::istringstream rows(text.substr(at, text.find('"', at) - at));
  std::vector<std::string> found;
  for (std::string row; std::getline(rows, row, ';');) found.push_back(row);
  return found;
}

TEST(HtmlCharts, EverySecondAndEveryMaximum_IsInTheData) {
  RunRecord run = run_of_maxima({5'000'000, 7'000'000, 6'000'000});
  run.timeline[1].all.p99 = std::chrono::milliseconds(4);
  run.timeline[2].all.timed = 0;
  run.events.push_back({.at = std::chrono::milliseconds(1500), .kind = "mark", .text = attack});
  const std::string text = page(run);
  EXPECT_THAT(chart_rows(text),
              ::testing::ElementsAre("0,1,,5000000", "1,1,4000000,7000000", "2,1,,"));
  EXPECT_THAT(text, HasSubstr("data-length=\"3\" data-events=\"1.5\""));
}

TEST(HtmlCharts, LongRun_KeepsItsSlowestOperationInEachPart) {
  std::vector<std::uint64_t> maxima(10'000, 1'000'000);
  maxima[7'777] = 9'000'000'000;
  const auto rows = chart_rows(page(run_of_maxima(maxima)));
  EXPECT_EQ(rows.size(), 2000U);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                          [](const std::string& row) { return row.ends_with(",9000000000"); }),
            1);
}

TEST(HtmlPage, WarmUpThatWasFound_IsShown) {
  RunRecord run = run_of({});
  run.warmup = record::Warmup{.length = std::chrono::seconds(12), .settled = true, .trouble = {}};
  EXPECT_THAT(page(run), HasSubstr("after 12 s of warm-up, until it was steady"));
}

TEST(HtmlPage, LongRun_KeepsItsMaximaInTheData) {
  RunRecord run = run_of({.seconds = 1200, .ops_per_second = 20});
  run.timeline[702].all.max = std::chrono::seconds(9);  // neither the first nor the last of its row
  const auto kept = kept_in(page(run), "run.html");
  ASSERT_TRUE(kept) << kept.error().message();
  const RunRecord& again = kept->runs[0];
  EXPECT_LE(again.timeline.size(), 240U);
  EXPECT_EQ(record::conservation_violation(again), record::conservation_violation(run));
  Time highest{0};
  for (const auto& row : again.timeline) highest = std::max(highest, row.all.max);
  EXPECT_EQ(highest, std::chrono::seconds(9));
  EXPECT_THAT(again.warnings.back(), HasSubstr("the HTML page keeps"));
}

// 20 OSDs, one at a time, in 10 rounds of a minute.
TEST(HtmlPage, SeriesOf200Runs_StaysSmall) {
  constexpr std::size_t limit = 600 * 1000;
  std::vector<RunRecord> runs;
  const RunRecord one = run_of({.seconds = 60, .ops_per_second = 60});
  for (int i = 0; i < 200; ++i) {
    runs.push_back(one);
    runs.back().header.run_id = fmt::format("20261121-040012-{:04x}", i);
  }
  const std::string text = page(runs);
  EXPECT_LT(text.size(), limit);
  const auto kept = kept_in(text, "runs.html");
  ASSERT_TRUE(kept) << kept.error().message();
  EXPECT_EQ(kept->runs.size(), 200U);
}

ComparisonPage comparison_of(double ratio, double low, double high) {
  study::Contest contest{.base = "base", .other = "other", .answer = {}};
  contest.answer.metric = "read p99_us";
  stats::Finding& finding = contest.answer.this_kind;
  finding.told = stats::ArmVerdict::slower;
  finding.ratio = ratio;
  finding.interval = stats::Bounds{low, high};
  ComparisonPage comparison;
  comparison.verdicts.contests = {contest};
  comparison.verdicts.figures = {
      {.arm = "base", .unit = "1", .round = "", .metric = "read p99_us", .value = 1},
      {.arm = "other", .unit = "2", .round = "", .metric = "read p99_us", .value = ratio}};
  return comparison;
}

double number_after(const std::string& text, const std::string& before) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return -1;
  return std::stod(text.substr(at + before.size()));
}

TEST(HtmlForest, IntervalAndRatio_AreDrawnOnTheRightSideOfOne) {
  const std::string text = page(comparison_of(2, 1.5, 3));
  const double one = number_after(text, "<line class=\"one\" x1=\"");
  const double mark = number_after(text, "<rect class=\"mark slower\" x=\"") + 4;
  const std::string interval = text.substr(text.find("class=\"interval slower\""));
  const double left = number_after(interval, "d=\"M");
  const double right = number_after(interval, "H");
  EXPECT_LT(one, left);
  EXPECT_LT(left + 5, mark);
  EXPECT_LT(mark + 5, right);
  const double scale = (mark - one) / std::log(2.0);
  EXPECT_NEAR(left, one + scale * std::log(1.5), 0.3);
  EXPECT_NEAR(right, one + scale * std::log(3.0), 0.3);
  EXPECT_THAT(text, HasSubstr("other is slower than base: read p99_us of other is 2.000 times "
                              "that of base (95 % interval 1.500 to 3.000)"));
}

TEST(HtmlComparison, DataOfAPage_AreTheFiguresAgain) {
  const ComparisonPage comparison = comparison_of(2, 1.5, 3);
  const auto kept = kept_in(page(comparison), "compare.html");
  ASSERT_TRUE(kept) << kept.error().message();
  ASSERT_TRUE(kept->comparison);
  EXPECT_EQ(kept->comparison->figures, comparison.verdicts.figures);
}

TEST(HtmlPage, RunWithoutOperations_IsReported) {
  const std::string text = page(RunRecord());
  EXPECT_THAT(text, HasSubstr("No operation was measured."));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(HtmlPage, ManyOsdsAndHours_StaySmall) {
  constexpr std::size_t limit = 600 * 1000;
  const std::vector<std::uint64_t> minute(60, 5'000'000);
  std::vector<std::uint64_t> hours(4 * 3'600);
  for (std::size_t i = 0; i < hours.size(); ++i) hours[i] = 1'000'000 + (i * 7919) % 90'000'000;
  EXPECT_LT(page(run_of_maxima(minute, 20)).size(), limit);
  RunRecord noisy = run_of_maxima(hours, 2);
  for (int i = 0; i < 2'000; ++i) {
    noisy.events.push_back({.at = std::chrono::seconds(i),
                            .kind = "health",
                            .text = fmt::format("osd.{} is slow", i)});
    noisy.warnings.push_back(fmt::format("warning {}", i));
  }
  EXPECT_LT(page(noisy).size(), limit);
}

RC_GTEST_PROP(HtmlEscape, EscapedText_HasNoMarkup, (const std::string& text)) {
  const std::string safe = escaped(text);
  RC_ASSERT(safe.find_first_of("<>\"'") == std::string::npos);
}

RC_GTEST_PROP(HtmlBuckets, MergedSeconds_KeepEveryMaximum, ()) {
  const auto maxima = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 1000)));
  const auto columns = *rc::gen::inRange<std::size_t>(1, 30);
  const Buckets buckets = buckets_of(run_of_maxima(maxima), columns, 4);
  RC_ASSERT(buckets.all.buckets.size() == std::min(columns, maxima.size()));
  RC_ASSERT(buckets.osds.size() == 1U);
  const std::size_t count = buckets.all.buckets.size();
  std::vector<std::optional<double>> expected(count);
  for (std::size_t i = 0; i < maxima.size(); ++i) {
    auto& here = expected[i * count / maxima.size()];
    here = std::max(here.value_or(0), static_cast<double>(maxima[i]));
  }
  for (std::size_t i = 0; i < count; ++i) {
    RC_ASSERT(buckets.all.buckets[i].max == expected[i]);
    RC_ASSERT(buckets.osds[0].buckets[i].max == expected[i]);
  }
}

TEST(HtmlBuckets, RowsOfTheDistantPast_FillAllBucketsThatTheyCover) {
  RunRecord run = run_of_maxima({7, 8});
  for (std::size_t i = 0; i < 2; ++i) {
    run.timeline[i].start = std::chrono::seconds(i * 10);
    run.timeline[i].length = std::chrono::seconds(10);
  }
  run.measured = std::chrono::seconds(20);
  const Buckets buckets = buckets_of(run, 20, 4);
  ASSERT_EQ(buckets.all.buckets.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(buckets.all.buckets[i].max, i < 10 ? 7.0 : 8.0) << i;
    EXPECT_EQ(buckets.osds[0].buckets[i].seconds, 10.0) << i;
  }
}

TEST(HtmlBuckets, TooManyOsds_SlowestAreKept) {
  RunRecord run = run_of_maxima({1, 2, 3}, 5);
  record::Figures slow = run.timeline[1].all;
  slow.max = std::chrono::seconds(2);
  run.timeline[1].osds.set(3, slow);
  const Buckets buckets = buckets_of(run, 3, 1);
  ASSERT_EQ(buckets.osds.size(), 1U);
  EXPECT_EQ(buckets.osds[0].osd, 3);
  EXPECT_EQ(buckets.osds_left_out, 4U);
}

}  // namespace
}  // namespace radosload::html
