// The HTML report: names of others stay text, no spike is lost in a long run, and the page of a
// run of 30 days is no longer than one of minutes.
#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "html/buckets.h"
#include "html/escape.h"
#include "html/page.h"
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
    for (std::int32_t osd = 0; osd < osds; ++osd) row.osds[osd] = row.all;
    run.timeline.push_back(row);
  }
  run.measured = std::chrono::seconds(maxima.size());
  return run;
}

TEST(HtmlPage, NamesOfOthers_StayText) {
  const std::string text = page(hostile_run());
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_EQ(count_of(text, "</style>"), 1U);
  EXPECT_THAT(text, Not(HasSubstr("onerror=\"")));
  EXPECT_GE(count_of(text, "&lt;img src=x"), 12U);
}

TEST(HtmlPage, ForbidsEveryRequestAndScript) {
  const std::string text = page(run_of({}));
  EXPECT_THAT(text, HasSubstr("Content-Security-Policy\" content=\"default-src 'none';"));
  for (const char* const word : {"<script", "src=", "href=", "url(", "@import"}) {
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
  EXPECT_THAT(text, HasSubstr("<th scope=\"row\">--seed</th><td>42</td>"));
  EXPECT_THAT(text, HasSubstr("osd.2"));
}

TEST(HtmlPage, RunWithoutOperations_IsSaid) {
  const std::string text = page(RunRecord());
  EXPECT_THAT(text, HasSubstr("No operation was measured."));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(HtmlPage, ManyOsdsAndHours_StaySmall) {
  constexpr std::size_t limit = 600 * 1000;
  const std::vector<std::uint64_t> minute(60, 5'000'000);
  std::vector<std::uint64_t> day(86'400);
  for (std::size_t i = 0; i < day.size(); ++i) day[i] = 1'000'000 + (i * 7919) % 90'000'000;
  EXPECT_LT(page(run_of_maxima(minute, 20)).size(), limit);
  RunRecord noisy = run_of_maxima(day, 2);
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

TEST(HtmlBuckets, TooManyOsds_SlowestAreKept) {
  RunRecord run = run_of_maxima({1, 2, 3}, 5);
  run.timeline[1].osds[3].max = std::chrono::seconds(2);
  const Buckets buckets = buckets_of(run, 3, 1);
  ASSERT_EQ(buckets.osds.size(), 1U);
  EXPECT_EQ(buckets.osds[0].osd, 3);
  EXPECT_EQ(buckets.osds_left_out, 4U);
}

}  // namespace
}  // namespace radosload::html
