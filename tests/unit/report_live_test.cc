#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/layout.h"
#include "report/live.h"
#include "report/live_history.h"
#include "support/golden.h"
#include "unit/report_support.h"

namespace radosload::report {
namespace {

record::Progress measuring(const record::TimelineRow& last = {}) {
  return {.phase = "measure",
          .done = 0.5,
          .elapsed = std::chrono::seconds(30),
          .total = std::chrono::seconds(60),
          .in_flight = 64,
          .last = last};
}

TEST(ReportLive, Frames) {
  const record::RunRecord run = testing::run_of({});
  const record::TimelineRow& last = run.timeline[3];
  const auto frame = [](const record::Progress& now, std::size_t columns) {
    std::string text;
    for (const std::string& line : live_frame(now, columns)) text += line + "|\n";
    return text;
  };
  record::Progress trouble = measuring(last);
  trouble.failed = 12;
  trouble.late = 1234;
  for (const char* osd : {"3", "4", "5", "6", "7"}) {
    trouble.stuck.push_back(std::string("osd.") + osd + ": 12 ops for 14 s, PG 3.1f inactive");
  }
  record::Progress endless = measuring(last);
  endless.phase = "prefill";
  endless.done = -1;
  endless.total = Time(0);
  endless.elapsed = std::chrono::seconds(3725);
  test::expect_golden("live.txt", frame(measuring(last), 120) + frame(measuring(last), 80) +
                                      frame(trouble, 140) + frame(endless, 100));
}

TEST(ReportLive, EightyColumnsHaveRoomForLatencies) {
  record::Progress state = measuring(testing::run_of({}).timeline[3]);
  state.failed = 123;
  const auto lines = live_frame(state, 80);
  EXPECT_NE(lines[0].find("##########----------"), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("123 errors"), std::string::npos) << lines[0];
  for (const char* figure : {"p50", "p99 2.99 ms", "max   40 ms"}) {
    EXPECT_NE(lines[1].find(figure), std::string::npos) << lines[1];
  }
}

TEST(ReportLive, OfASession_WhatAllDoStandsBelowTheOwnFigures) {
  record::Progress state = measuring(testing::run_of({}).timeline[3]);
  state.session = "all 3 members: 6,262 IOPS";
  const auto lines = live_frame(state, 80);
  ASSERT_GE(lines.size(), 3U);
  EXPECT_EQ(lines[2], "all 3 members: 6,262 IOPS");
}

TEST(ReportLive, SecondWithoutOperations_HasNoFigures) {
  record::TimelineRow row;
  row.length = std::chrono::seconds(1);
  const auto lines = live_frame(measuring(row), 200);
  EXPECT_NE(lines[0].find("  0 IOPS"), std::string::npos);
  EXPECT_EQ(lines[1].find("p50"), std::string::npos);
  EXPECT_NE(lines[1].find("64 in flight"), std::string::npos);
}

TEST(ReportLive, TheBarFillsFromEmptyToFull) {
  EXPECT_EQ(progress_bar(0, 4), "[----]");
  EXPECT_EQ(progress_bar(0.5, 4), "[##--]");
  EXPECT_EQ(progress_bar(0.99, 4), "[###-]");
  EXPECT_EQ(progress_bar(1, 4), "[####]");
  EXPECT_EQ(progress_bar(7, 4), "[####]");
  EXPECT_EQ(progress_bar(std::nan(""), 4), "[----]");
}

RC_GTEST_PROP(ReportLive, NothingIsWiderThanTheTerminal, ()) {
  record::Progress state = measuring();
  state.failed = *rc::gen::arbitrary<std::uint64_t>();
  state.late = *rc::gen::arbitrary<std::uint64_t>();
  state.done = *rc::gen::arbitrary<double>();
  state.stuck = *rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>());
  state.last.length = Time(*rc::gen::inRange(0, 2'000'000'000));
  state.last.all.ops = *rc::gen::arbitrary<std::uint64_t>();
  const auto columns = *rc::gen::inRange<std::size_t>(1, 200);
  for (const std::string& line : live_frame(state, columns)) {
    RC_ASSERT(text_width(line) <= columns);
  }
}

// A second of a run on three OSDs, of which the third is slow.
record::Progress second_of_load(int second, std::uint64_t ops = 400) {
  record::Progress now = measuring();
  now.elapsed = std::chrono::seconds(second + 1);
  now.last.length = std::chrono::seconds(1);
  now.last.all.ops = now.last.all.timed = ops;
  now.last.all.bytes = ops * 4096;
  now.last.all.max = std::chrono::milliseconds(20);
  now.last.all.p99 = std::chrono::milliseconds(second == 4 ? 16 : 2);
  for (const auto& [osd, ms] : {std::pair{0, 1}, {1, 2}, {2, 9}}) {
    record::Figures figures;
    figures.ops = figures.timed = ops / 3;
    figures.mean_service = std::chrono::milliseconds(ms);
    now.last.osds.set(osd, figures);
  }
  for (std::uint64_t i = 0; i < ops; ++i) now.latency.add(i % 10 == 0 ? 8'000'000 : 1'000'000);
  return now;
}

TEST(LiveHistory, ShowsTheLastSecondsTheEventsAndTheSlowestOsd) {
  LiveHistory history;
  for (int i = 0; i < 10; ++i) {
    history.add(second_of_load(i));
    if (i == 4) history.mark("the cluster: osd.2 is slow\n  a second line");
  }
  std::string text;
  for (const bool unicode : {true, false}) {
    for (const auto& line : history.picture({.columns = 79, .unicode = unicode}, 20)) {
      text += line + "|\n";
    }
  }
  test::expect_golden("live-history.txt", text);
}

TEST(LiveHistory, ForgetsWhatIsOlderThanThreeMinutes) {
  LiveHistory history;
  history.add(second_of_load(0, 4000));
  history.mark("long ago");
  for (int i = 1; i < 300; ++i) history.add(second_of_load(i));
  const auto lines = history.picture({.columns = 79, .unicode = false}, 20);
  EXPECT_NE(lines[0].find("max 400"), std::string::npos) << lines[0];
  EXPECT_NE(lines[2].find("2 m 0 s"), std::string::npos) << lines[2];
  EXPECT_NE(lines[2].find("5 m 0 s"), std::string::npos) << lines[2];
  for (const std::string& line : lines) EXPECT_EQ(line.find("long ago"), std::string::npos);
}

TEST(LiveHistory, ANewPhaseOrStepBeginsANewPicture) {
  LiveHistory history;
  history.add(second_of_load(0));
  record::Progress next = second_of_load(1, 7);
  next.phase = "drain";
  history.add(next);
  EXPECT_NE(history.picture({}, 20)[0].find("max 7"), std::string::npos);
  next.step = "step 2 of 3: qd=4";
  next.last.all.ops = 9;
  history.add(next);
  EXPECT_NE(history.picture({}, 20)[0].find("max 9"), std::string::npos);
}

TEST(LiveHistory, TakesNoMoreLinesThanItMay) {
  LiveHistory history;
  EXPECT_TRUE(history.picture({}, 20).empty());
  history.add(second_of_load(0));
  EXPECT_EQ(history.picture({}, 2).size(), 2U);
  EXPECT_TRUE(history.picture({}, 0).empty());
}

RC_GTEST_PROP(LiveHistory, NothingIsWiderThanTheTerminal, ()) {
  LiveHistory history;
  const int seconds = *rc::gen::inRange(0, 20);
  for (int i = 0; i < seconds; ++i) {
    record::Progress now = second_of_load(i, *rc::gen::inRange<std::uint64_t>(0, 300));
    now.last.length = Time(*rc::gen::inRange<std::int64_t>(0, 400'000'000'000));
    now.phase = *rc::gen::element<std::string>("measure", "measure", "measure", "drain");
    history.add(now);
    if (*rc::gen::inRange(0, 3) == 0) history.mark(*rc::gen::string<std::string>());
  }
  const Style style{.columns = *rc::gen::inRange<std::size_t>(0, 200),
                    .unicode = *rc::gen::arbitrary<bool>()};
  for (const std::string& line : history.picture(style, 30)) {
    RC_ASSERT(text_width(line) <= style.columns);
    RC_ASSERT(line.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace radosload::report
