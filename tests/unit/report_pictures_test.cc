// Pictures made of characters: what they show, exactly, and that they always fit.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/latency_picture.h"
#include "report/layout.h"
#include "report/sparkline.h"
#include "report/text.h"
#include "report/time_unit.h"
#include "report/timeline_picture.h"
#include "support/golden.h"
#include "unit/report_support.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::report {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::lines_of;
using testing::run_of;
using testing::Scenario;

constexpr Style ascii{.columns = 80, .unicode = false};
constexpr Style unicode{.columns = 80, .unicode = true};

std::string drawn(const std::vector<std::string>& lines) {
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

record::TimelineRow second_with(int second, std::uint64_t ops, Time p99, std::uint64_t bytes = 0) {
  record::TimelineRow row;
  row.start = std::chrono::seconds(second);
  row.length = std::chrono::seconds(1);
  row.all.ops = ops;
  row.all.bytes = bytes;
  row.all.timed = ops;
  row.all.max = p99;
  if (p99 > Time(0)) row.all.p99 = p99;
  return row;
}

// Ten seconds, of which the fifth and sixth saw nothing, and the seventh was slow.
Span with_a_stall() {
  Span span{.from_s = 0, .length_s = 10, .rows = {}, .marks = {}};
  for (int i = 0; i < 10; ++i) {
    const bool stalled = i == 4 || i == 5;
    span.rows.push_back(
        second_with(i, stalled ? 0 : 400, stalled ? Time(0) : milliseconds(i == 6 ? 1600 : 2)));
  }
  span.marks = {{4.2, "osd.3 is down"}, {4.3, "HEALTH_WARN: 1 osds down"}, {9.9, "osd.3 is up"}};
  return span;
}

TEST(Sparkline, HasEightHeights_AndShowsZeroAndUnknownApart) {
  const Points points = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, std::nullopt, 0.1};
  EXPECT_EQ(sparkline(points, 8, unicode), "0▁▂▃▄▅▆▇█ ▁");
  EXPECT_EQ(sparkline(points, 8, ascii), "0_.:-=+*# _");
}

TEST(Sparkline, ValuesAboveTheTopAreAsHighAsIt) {
  EXPECT_EQ(sparkline({5.0, std::nan(""), HUGE_VAL}, 2, ascii), "#  ");
}

TEST(ShareBar, IsAsLongAsItsShare_AndNeverInvisible) {
  EXPECT_EQ(share_bar(0, 10, ascii), "");
  EXPECT_EQ(share_bar(0.001, 10, ascii), "|");
  EXPECT_EQ(share_bar(0.5, 10, ascii), "#####");
  EXPECT_EQ(share_bar(7, 10, ascii), "##########");
  EXPECT_EQ(share_bar(0.001, 10, unicode), "▏");
  EXPECT_EQ(share_bar(0.25, 10, unicode), "██▌");
  EXPECT_EQ(share_bar(1, 3, unicode), "███");
}

TEST(TimelinePicture, ShowsStallAndSlownessWithTheEventsBelow) {
  test::expect_golden("timeline-unicode.txt", drawn(timeline_picture(with_a_stall(), unicode)));
  test::expect_golden("timeline-ascii.txt", drawn(timeline_picture(with_a_stall(), ascii)));
}

TEST(TimelinePicture, MoreSecondsThanColumns_EachBarIsAMean) {
  Span span{.from_s = 0, .length_s = 1000, .rows = {}, .marks = {}};
  for (int i = 0; i < 1000; ++i) {
    span.rows.push_back(second_with(i, i % 2 == 0 ? 100 : 300, milliseconds(i == 700 ? 80 : 10)));
  }
  const auto lines = timeline_picture(span, {.columns = 79, .unicode = false});
  EXPECT_EQ(lines[0], "  IOPS      " + std::string(50, '#') + "  max 200");
  EXPECT_EQ(lines[1],
            "  p99       " + std::string(35, '_') + "#" + std::string(14, '_') + "  max 80 ms");
}

TEST(TimelinePicture, LargeOperations_AreDrawnAsBandwidth) {
  Span span{.from_s = 0, .length_s = 1, .rows = {}, .marks = {}};
  span.rows.push_back(second_with(0, 10, milliseconds(5), 10U << 20U));
  EXPECT_TRUE(timeline_picture(span, ascii)[0].starts_with("  MiB/s     ####"));
}

TEST(TimelinePicture, TooFewOperationsForAP99_DrawsTheSlowestAndLabelsIt) {
  Span span{.from_s = 0, .length_s = 2, .rows = {}, .marks = {}};
  for (int i = 0; i < 2; ++i) {
    span.rows.push_back(second_with(i, 20, milliseconds(5)));
    span.rows.back().all.p99.reset();
  }
  const auto lines = timeline_picture(span, ascii);
  EXPECT_TRUE(lines[1].starts_with("  max       ####")) << lines[1];
  EXPECT_TRUE(lines[1].ends_with("  max 5 ms")) << lines[1];
}

// The slowest operations of a run that ends in a stall are answered after it, often few at a time.
TEST(TimelinePicture, OperationsAnsweredInTheDrain_AreInTheLastColumn) {
  record::RunRecord run = run_of({});
  run.measured = seconds(10);
  run.timeline = with_a_stall().rows;
  run.timeline.push_back(second_with(12, 5, milliseconds(4600)));
  run.timeline.back().length = milliseconds(100);
  run.timeline.back().all.p99.reset();
  const auto lines = timeline_picture(measured_span(run), {.columns = 39, .unicode = false});
  EXPECT_TRUE(lines[0].ends_with("##  max 400")) << lines[0];
  EXPECT_TRUE(lines[1].ends_with("#  max 4.6 s")) << lines[1];
}

TEST(TimelinePicture, SecondsThatAreMissing_AreLeftBlank) {
  Span span = with_a_stall();
  span.rows.erase(span.rows.begin() + 1, span.rows.begin() + 4);
  const std::string line = timeline_picture(span, {.columns = 39, .unicode = false})[0];
  EXPECT_EQ(line, "  IOPS      #   00####  max 400");
}

TEST(TimelinePicture, NothingToDrawOrNoRoom_IsNothing) {
  EXPECT_TRUE(timeline_picture({}, ascii).empty());
  EXPECT_TRUE(timeline_picture(with_a_stall(), {.columns = 20, .unicode = true}).empty());
}

TEST(TimelinePicture, MoreEventsThanDigits_AreCounted) {
  Span span = with_a_stall();
  span.marks.clear();
  for (int i = 0; i < 12; ++i) span.marks.push_back({i * 0.8, fmt::format("event {}", i)});
  const auto lines = timeline_picture(span, ascii);
  EXPECT_EQ(lines.back(), "            +  3 more");
  EXPECT_EQ(lines[lines.size() - 2], "            9  6.4 s  event 8");
}

TEST(TimelinePicture, ARecordMarksItsEventsOnceAndNotItsPhases) {
  record::RunRecord run = run_of({});
  run.events = {{Time(0), "phase", "measure"},
                {milliseconds(1500), "health", "HEALTH_WARN"},
                {milliseconds(1500), "alarm", "HEALTH_WARN"},
                {milliseconds(2500), "stuck", "osd.3: 2 ops"},
                {milliseconds(2500), "trace", "x.npy, 3 of 3 operations"}};
  const Span span = measured_span(run);
  ASSERT_EQ(span.marks.size(), 2U);
  EXPECT_EQ(span.marks[0].text, "HEALTH_WARN");
  EXPECT_EQ(span.marks[1].at_s, 2.5);
  EXPECT_EQ(span.length_s, 25);
  EXPECT_EQ(span.rows.size(), 25U);
}

record::Histogram histogram_of(const std::vector<std::pair<Time, int>>& counts) {
  record::Histogram latency;
  for (const auto& [time, count] : counts) {
    for (int i = 0; i < count; ++i) latency.add(static_cast<std::uint64_t>(time.count()));
  }
  return latency;
}

TEST(LatencyPicture, ShowsEachStepWithItsCount_AndLeavesOutLongGaps) {
  const auto latency = histogram_of({{microseconds(700), 500},
                                     {milliseconds(3), 2000},
                                     {milliseconds(7), 250},
                                     {milliseconds(900), 1}});
  test::expect_golden("latency-unicode.txt", drawn(latency_picture(latency, unicode)));
  test::expect_golden("latency-ascii.txt", drawn(latency_picture(latency, ascii)));
}

TEST(LatencyPicture, OneOperation_IsOneBar) {
  EXPECT_EQ(
      latency_picture(histogram_of({{milliseconds(3), 1}}), {.columns = 40, .unicode = false}),
      std::vector<std::string>{"  2 - 5 ms  ###############  1  100.00 %"});
}

TEST(LatencyPicture, OperationsBelowAndAboveAnEdge_AreInDifferentSteps) {
  const auto lines =
      latency_picture(histogram_of({{microseconds(2010), 1}, {microseconds(1990), 1}}),
                      {.columns = 60, .unicode = false});
  ASSERT_EQ(lines.size(), 2U) << fmt::format("{}", fmt::join(lines, "\n"));
  EXPECT_TRUE(lines[0].starts_with("  1 - 2 ms")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("  2 - 5 ms")) << lines[1];
}

TEST(LatencyLine, GoesFromTheFastestToTheSlowestOperation) {
  const auto latency =
      histogram_of({{milliseconds(1), 8}, {milliseconds(10), 4}, {milliseconds(100), 1}});
  EXPECT_EQ(latency_line(latency, 23, ascii), "1 ms #    -    _ 100 ms");
  EXPECT_EQ(latency_line(latency, 8, ascii), "") << "no room";
  EXPECT_EQ(latency_line(histogram_of({{milliseconds(1), 3}}), 40, ascii), "1 ms # 1 ms");
}

TEST(TimeUnit, OneUnitHoldsAllFigures) {
  EXPECT_EQ(unit_between(120e3, 4e6).name, "ms");
  EXPECT_EQ(unit_between(20e3, 4e6).name, "us");
  EXPECT_EQ(unit_between(20e3, 4e9).name, "ms");
  EXPECT_EQ(unit_between(200e6, 4e9).name, "s");
  const TimeUnit ms = unit_between(1e6, 1e6);
  EXPECT_EQ(in_unit(999e3, ms), "0.999");
  EXPECT_EQ(in_unit(999.9e3, ms), "1.00");
  EXPECT_EQ(in_unit(1e6, ms), "1.00");
  EXPECT_EQ(in_unit(2'900e6, ms), "2,900");
  EXPECT_EQ(in_unit(0, ms), "0");
}

record::RunRecord any_run() {
  record::RunRecord run = record::testing::folded(*record::testing::runs());
  for (record::TimelineRow& row : run.timeline) {
    if (*rc::gen::inRange(0, 5) == 0) row.length = Time(0);
    if (*rc::gen::inRange(0, 5) == 0) row.all = {};
    if (*rc::gen::inRange(0, 9) == 0) row.start = Time(*rc::gen::arbitrary<std::int64_t>());
  }
  if (!run.timeline.empty() && *rc::gen::arbitrary<bool>())
    run.timeline.erase(run.timeline.begin());
  if (*rc::gen::inRange(0, 4) == 0) run.measured = Time(*rc::gen::arbitrary<std::int64_t>());
  const auto events = *rc::gen::inRange(0, 15);
  for (int i = 0; i < events; ++i) {
    run.events.push_back(
        {Time(*rc::gen::arbitrary<std::int64_t>()), "health",
         *rc::gen::element<std::string>("osd.3 is down", "\x1b[2J\xff\n", std::string(400, 'x'))});
  }
  return run;
}

RC_GTEST_PROP(Pictures, AnyRecord_NoLineIsWiderThanTheTerminal, ()) {
  const record::RunRecord run = any_run();
  const Style style{.columns = *rc::gen::inRange<std::size_t>(0, 300),
                    .unicode = *rc::gen::arbitrary<bool>()};
  const record::Histogram latency = record::total_of(run.kinds).latency.response();
  std::vector<std::string> lines = timeline_picture(measured_span(run), style);
  for (std::string& line : latency_picture(latency, style)) lines.push_back(std::move(line));
  lines.push_back(latency_line(latency, style.columns, style));
  for (const std::string& line : lines) {
    RC_ASSERT(text_width(line) <= style.columns);
    RC_ASSERT(!line.ends_with(' '));
  }
}

RC_GTEST_PROP(Pictures, WithoutUnicodeAllIsAscii, ()) {
  for (const char letter : text(any_run(), "", ascii)) {
    RC_ASSERT(static_cast<unsigned char>(letter) < 0x80U || letter == '\n');
  }
}

RC_GTEST_PROP(LatencyPicture, EveryOperationIsCountedOnce, ()) {
  record::Histogram latency;
  const auto values = *rc::gen::container<std::vector<std::uint64_t>>(
      rc::gen::inRange<std::uint64_t>(0, 100'000'000'000));
  for (const std::uint64_t ns : values) latency.add(ns);
  std::uint64_t sum = 0;
  for (const std::string& line : latency_picture(latency, {.columns = 200, .unicode = false})) {
    const auto percent = line.rfind("  ");
    if (percent == std::string::npos || line.ends_with("...")) continue;
    const auto end = line.find_last_not_of(' ', percent);
    const auto begin = line.find_last_of(' ', end) + 1;
    sum += std::stoull(line.substr(begin, end + 1 - begin));
  }
  RC_ASSERT(sum == values.size());
}

}  // namespace
}  // namespace radosload::report
