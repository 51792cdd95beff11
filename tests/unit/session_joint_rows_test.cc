// The rows of a session's timeline are whole, in order, and do not overlap.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <gmock/gmock.h>

#include "session/joint.h"

namespace radosload::session {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

using Spans = std::vector<std::pair<int, int>>;  // starts and lengths in ms

Spans whole_seconds(int count) {
  Spans spans;
  for (int i = 0; i < count; ++i) spans.emplace_back(i * 1000, 1000);
  return spans;
}

// With two operations in each interval.
MemberLines member_at(std::string who, const Spans& spans) {
  MemberLines member{.who = std::move(who), .lines = {record::RunHeader{}}, .missing = {}};
  record::RunFooter footer;
  footer.ended_by = record::EndedBy::time;
  for (const auto& [start, length] : spans) {
    record::Interval interval;
    interval.start = milliseconds(start);
    interval.length = milliseconds(length);
    record::Cell& cell = record::cell_for(interval.kinds, no_osd, OpKind::read);
    for (int i = 0; i < 2; ++i) cell.latency.add(100, 100);
    cell.finished.ops = interval.measured.submitted = interval.measured.completed = 2;
    footer.measured_flow += interval.measured;
    footer.measured = footer.last_answer = interval.end();
    member.lines.emplace_back(record::packed(std::move(interval)));
  }
  member.lines.emplace_back(footer);
  return member;
}

record::RunRecord joint_of(std::vector<MemberLines> members) {
  JointRecord joint({.session = "s", .run_id = "20261125-090000000-abcd", .plan = {}, .ended = {}});
  for (MemberLines& member : members) joint.add(std::move(member));
  return std::move(joint).finish().value();
}

std::string warned(const record::RunRecord& record) {
  std::string all;
  for (const std::string& warning : record.warnings) all += warning + "\n";
  return all;
}

Spans rows_of(const record::RunRecord& record) {
  Spans rows;
  for (const record::TimelineRow& row : record.timeline) {
    rows.emplace_back(row.start / std::chrono::milliseconds(1),
                      row.length / std::chrono::milliseconds(1));
  }
  return rows;
}

TEST(SessionTimeline, MemberThatStoodStill_HasOneRowForThatTimeAndAWarning) {
  const Spans paused = {{0, 1000}, {1000, 4040}, {5040, 960}, {6000, 1000}};
  const Spans steady = {{0, 1010},    {1010, 990},  {2000, 1000}, {3000, 1000},
                        {4000, 1020}, {5020, 1000}, {6020, 990}};
  const auto joint = joint_of({member_at("pid 7 on b", paused), member_at("a", steady)});
  EXPECT_EQ(rows_of(joint), (Spans{{0, 1010}, {1010, 4030}, {5040, 980}, {6020, 990}}));
  EXPECT_EQ(joint.timeline[1].all.ops, 10U) << "2 of the paused member, 8 of the other";
  EXPECT_EQ(record::total_of(joint.kinds).ops(), 22U);
  EXPECT_EQ(record::conservation_violation(joint), std::nullopt);
  EXPECT_THAT(warned(joint), AllOf(HasSubstr("pid 7 on b stood still for 3.0 to 4.0 s at 1 s"),
                                   ::testing::Not(HasSubstr("a stood still"))));
  ASSERT_EQ(joint.events.size(), 2U);
  EXPECT_EQ(joint.events[1].kind, "pause");
  EXPECT_EQ(joint.events[1].at, seconds(1));
}

TEST(SessionTimeline, SecondsThatEndALittleLate_AreNoPause) {
  const Spans late = {{0, 1020}, {1020, 1000}, {2020, 980}, {3000, 1010}};
  const auto joint = joint_of({member_at("b", late), member_at("a", whole_seconds(4))});
  EXPECT_EQ(rows_of(joint), (Spans{{0, 1020}, {1020, 1000}, {2020, 980}, {3000, 1010}}));
  EXPECT_EQ(warned(joint), "");
  EXPECT_EQ(joint.events.size(), 1U);
}

TEST(SessionTimeline, MemberLostWhileAnotherStoodStill_FiguresStopBeforeThatRow) {
  MemberLines dead = member_at("c", whole_seconds(3));
  dead.lines.pop_back();
  dead.missing = "its process has ended";
  const Spans paused = {{0, 1000}, {1000, 4000}, {5000, 1000}};
  const auto joint = joint_of({member_at("b", paused), dead, member_at("a", whole_seconds(6))});
  EXPECT_EQ(joint.measured, seconds(1));
  EXPECT_EQ(record::total_of(joint.kinds).ops(), 6U);
}

}  // namespace
}  // namespace radosload::session
