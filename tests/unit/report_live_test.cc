#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/live.h"
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

TEST(ReportLive, ASecondWithoutOperationsInventsNothing) {
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
    RC_ASSERT(line.size() <= columns);
  }
}

}  // namespace
}  // namespace radosload::report
