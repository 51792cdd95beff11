#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "record/ranks.h"
#include "trace/trace_scan.h"
#include "unit/record_support.h"
#include "unit/trace_support.h"

namespace radosload::trace {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::a_row;
using ::testing::HasSubstr;
using testing::rows_in;
using testing::some_rows;

class TraceReader : public testing::TraceFixture {};

// ---- the reader ----

TEST_F(TraceReader, RowsThatTheHeaderDoesNotKnowYetAreReadWhenTheyAreWhole) {
  leave(10, some_rows(25), "the beginning of a row");
  EXPECT_EQ(rows_in(path()), some_rows(25));
  EXPECT_FALSE(TraceFile::open(path())->ended());
}

TEST_F(TraceReader, ZerosOfAPowerCut_AreNotRows) {
  leave(10, some_rows(15), std::string(20000 * sizeof(TraceRow), '\0'));
  EXPECT_EQ(rows_in(path()), some_rows(15));
}

TEST_F(TraceReader, BytesBehindAClosedTrace_AreIgnored) {
  leave(10, some_rows(12), {}, true);
  EXPECT_EQ(rows_in(path()), some_rows(10));
  EXPECT_TRUE(TraceFile::open(path())->ended());
}

TEST_F(TraceReader, TruncatedTrace_IsReadAsIncomplete) {
  leave(100, some_rows(7), "x", true);
  EXPECT_EQ(rows_in(path()), some_rows(7));
  EXPECT_FALSE(TraceFile::open(path())->ended());
}

TEST_F(TraceReader, ReadInPieces_HasEveryRow) {
  leave(10, some_rows(10), {}, true);
  const auto file = TraceFile::open(path());
  ASSERT_TRUE(file);
  std::vector<TraceRow> rows(4);
  ASSERT_EQ(*file->read(8, rows), 2U);
  EXPECT_EQ(rows[1], a_row(9));
  EXPECT_EQ(*file->read(10, rows), 0U);
}

TEST_F(TraceReader, UnreadableTrace_ErrorHasTheReason) {
  EXPECT_THAT(TraceFile::open(path()).error().message(), HasSubstr("ENOENT"));
  EXPECT_THAT(TraceFile::open(m_folder.path()).error().message(), HasSubstr("not a regular file"));
  std::ofstream(path()) << "PK";
  EXPECT_THAT(TraceFile::open(path()).error().message(), HasSubstr("not a .npy file"));
}

// ---- what it comes to ----

std::vector<TraceRow> rows_of(const std::vector<Slot>& slots) {
  std::vector<TraceRow> rows;
  for (const Slot& slot : slots) {
    rows.push_back(trace_row(slot, Time(0), 0));
  }
  return rows;
}

// What a lane counts of them when the measured phase is so long.
record::Interval counted(const std::vector<Slot>& slots, Time measured) {
  record::Recorder recorder;
  for (const Slot& slot : slots) {
    recorder.submitted(slot.phase);
    recorder.add(slot, slot.completed <= measured ? record::Ending::within : record::Ending::after);
  }
  record::Interval whole;
  whole.absorb(recorder);
  return whole;
}

RC_GTEST_PROP(TraceScan, CountsTheSameAsTheRecorder, ()) {
  std::vector<Slot> slots = *record::testing::many_slots();
  std::erase_if(slots, [](const Slot& slot) { return slot.completed == Time(0); });
  const Time measured(*rc::gen::inRange<std::int64_t>(0, 5'000'000'000));
  TraceScan scan(3, measured);
  scan.add(0, rows_of(slots));
  const record::RunRecord record = scan.record();
  const record::Interval whole = counted(slots, measured);
  RC_ASSERT(scan.unsound() == 0U);
  RC_ASSERT(record.kinds == whole.kinds);
  RC_ASSERT(record.osds == whole.osds);
  RC_ASSERT(record.measured == measured);
  RC_ASSERT(record.measured_flow == whole.measured);
  RC_ASSERT(record.carried_flow == whole.carried);
  record::Flow flow;
  std::uint64_t ops = 0;
  for (const record::TimelineRow& row : scan.timeline()) {
    flow += row.flow;
    ops += row.all.ops;
  }
  RC_ASSERT(flow == whole.measured);
  RC_ASSERT(ops == whole.measured.completed + whole.carried.completed);
}

RC_GTEST_PROP(TraceScan, PartsMergedAreTheWhole, ()) {
  const std::vector<TraceRow> rows = rows_of(*record::testing::many_slots());
  const auto cut = *rc::gen::inRange<std::size_t>(0, rows.size() + 1);
  TraceScan whole(4);
  whole.add(0, rows);
  TraceScan first(4);
  TraceScan rest(4);
  first.add(0, std::span(rows).first(cut));
  rest.add(cut, std::span(rows).subspan(cut));
  first.merge(rest);
  RC_ASSERT(first.record() == whole.record());
  RC_ASSERT(first.timeline() == whole.timeline());
  const auto numbers = [](const TraceScan& scan) {
    std::vector<std::uint64_t> all;
    for (const SlowOp& op : scan.slowest()) all.push_back(op.number);
    return all;
  };
  RC_ASSERT(numbers(first) == numbers(whole));
}

TEST(TraceScan, TheSlowestComeFirstAndFailuresAreAmongThem) {
  std::vector<TraceRow> rows = some_rows(50);
  rows[20].complete_ns += 1'000'000;
  rows[30].complete_ns += 2'000'000;
  rows[30].rc = -ETIMEDOUT;
  rows[40].submit_ns += 3'000'000;  // waited before it was sent
  rows[40].complete_ns += 3'000'000;
  TraceScan scan(3);
  scan.add(0, rows);
  const auto slowest = scan.slowest();
  ASSERT_EQ(slowest.size(), 3U);
  EXPECT_EQ(slowest[0].number, 40U);
  EXPECT_EQ(slowest[1].number, 30U);
  EXPECT_EQ(slowest[2].number, 20U);
}

// As the lanes count it: what was never answered or sent is no answer, and stands in percentiles.
TEST(TraceScan, UnansweredAndUnsentOperations_AreLost) {
  std::vector<TraceRow> rows = some_rows(8);
  rows[6].rc = rc_unanswered;
  rows[6].complete_ns = Time(seconds(9)).count();
  rows[7].rc = rc_unissued;
  rows[7].submit_ns = rows[7].complete_ns = Time(seconds(5)).count();
  TraceScan whole(10, seconds(5));
  whole.add(0, rows);
  TraceScan scan(10, seconds(5));
  TraceScan rest(10, seconds(5));
  scan.add(0, std::span(rows).first(7));
  rest.add(7, std::span(rows).subspan(7));
  scan.merge(rest);
  EXPECT_EQ(scan.record(), whole.record());
  const record::RunRecord record = scan.record();
  EXPECT_EQ(record.measured_flow, (record::Flow{.submitted = 7, .completed = 6}));
  EXPECT_EQ(record.unfinished, 1U);
  EXPECT_EQ(record.unissued, 1U);
  EXPECT_EQ(record.last_answer, seconds(5)) << "giving up is no answer";
  const record::Cell total = record::total_of(record.kinds);
  EXPECT_EQ(total.ops(), 6U);
  EXPECT_EQ(total.lost.ops(), 2U);
  EXPECT_EQ(total.lost.unsent(), 1U);
  EXPECT_EQ(record::response_ranks(total).max().kind, record::Ranked::Kind::beyond);
  EXPECT_EQ(scan.slowest().size(), 7U) << "without the one that was not sent";
  EXPECT_EQ(scan.slowest().front().number, 6U);
  EXPECT_EQ(scan.timeline().front().in_flight, 1U);
}

TEST(TraceScan, InvalidRows_AreNotCounted) {
  std::vector<TraceRow> rows = some_rows(6);
  rows[0].op = 77;
  rows[1].complete_ns = rows[1].submit_ns - 1;
  rows[2].complete_ns = std::numeric_limits<std::int64_t>::max();
  rows[3].submit_ns = rows[3].intended_ns - 1;
  rows[4].op = static_cast<std::uint8_t>(OpKind::sync);
  for (const int rc : {rc_unanswered, rc_unissued}) {  // of a warm-up
    rows.push_back(a_row(1));
    rows.back().intended_ns = -1;
    rows.back().rc = static_cast<std::int16_t>(rc);
  }
  TraceScan scan(10);
  scan.add(0, rows);
  EXPECT_EQ(scan.unsound(), 7U);
  EXPECT_EQ(scan.record().measured_flow.completed, 1U);
  EXPECT_EQ(scan.slowest().size(), 1U);
}

// Ten rows over forty days took two gigabytes for the seconds between them.
TEST(TraceScan, RowsOverMoreThanTwoDays_HaveASummaryAndNoSeconds) {
  constexpr std::int64_t second_ns = Time(seconds(1)).count();
  TraceRow row = a_row(1);
  for (const std::int64_t days : {1, 2, 3, 40}) {
    row.complete_ns = days * 86'400 * second_ns;
    TraceScan scan(1);
    scan.add(0, std::vector<TraceRow>{a_row(0), row});
    EXPECT_EQ(scan.record().measured_flow.ended(), 2U) << days;
    const bool kept = days <= 2;
    EXPECT_EQ(scan.check_seconds().has_value(), kept) << days;
    if (kept) {
      EXPECT_EQ(scan.timeline().size(), static_cast<std::size_t>(days) * 86'400);
      continue;
    }
    EXPECT_LE(scan.timeline().size(), 10U);
    EXPECT_THAT(scan.check_seconds().error().message(), HasSubstr("limit is 2 d 0 h"));
  }
}

TEST(TraceScan, Seconds_CountSentAndAnsweredOperations) {
  std::vector<TraceRow> rows(3, a_row(0));
  rows[0].submit_ns = 0;
  rows[0].complete_ns = Time(seconds(1)).count();  // ends with its second
  rows[1].submit_ns = Time(milliseconds(900)).count();
  rows[1].complete_ns = Time(milliseconds(2500)).count();
  rows[2].submit_ns = Time(milliseconds(1100)).count();
  rows[2].complete_ns = Time(milliseconds(1200)).count();
  for (TraceRow& row : rows) row.intended_ns = row.submit_ns;
  TraceScan scan(0);
  scan.add(0, rows);
  const auto seconds_of = scan.timeline();
  ASSERT_EQ(seconds_of.size(), 3U);
  EXPECT_EQ(seconds_of[0].flow.submitted, 2U);
  EXPECT_EQ(seconds_of[0].flow.completed, 1U);
  EXPECT_EQ(seconds_of[0].in_flight, 1U);
  EXPECT_EQ(seconds_of[1].last_service, milliseconds(100));
  EXPECT_EQ(seconds_of[2].length, milliseconds(500));
  EXPECT_EQ(seconds_of[2].in_flight, 0U);
  EXPECT_EQ(scan.record().measured, milliseconds(2500));
}

}  // namespace
}  // namespace radosload::trace
