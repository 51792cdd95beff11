// Runs of hours and days: rows and journal lines of old seconds are merged, and nothing is lost.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "record/aged_timeline.h"
#include "record/journal.h"
#include "record/journal_aging.h"
#include "record/record_codec.h"
#include "support/files.h"
#include "unit/record_support.h"

namespace radosload::record {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

// One operation in each second, each on another of three OSDs; some seconds have a slow one.
Interval second_at(std::int64_t second) {
  Slot slot;
  slot.op.kind = OpKind::read;
  slot.op.osd = static_cast<std::int32_t>(second % 3);
  slot.phase = Phase::measure;
  slot.intended = slot.submitted = Time(0);
  slot.completed = Time(1'000'000 + second % 7 * 100'000 + (second % 1000 == 0 ? 900'000'000 : 0));
  slot.outcome.bytes = 4096;
  Recorder recorder;
  recorder.submitted(slot.phase);
  recorder.add(slot, Ending::within);
  Interval interval;
  interval.start = seconds(second);
  interval.length = seconds(1);
  interval.absorb(recorder);
  return interval;
}

RunHeader header_for(Time planned) {
  RunHeader header;
  header.run_id = "20261121-040012-2f6b";
  header.plan.extent.time = planned;
  return header;
}

const RunRecord& run_of_nine_hours() {
  static const RunRecord record = [] {
    Folder folder(header_for(hours(48)));
    for (std::int64_t i = 0; i < std::int64_t{9} * 3600; ++i) folder.add(second_at(i));
    return folder.record();
  }();
  return record;
}

TEST(AgedTimeline, RowsGetLongerWithTheirAge) {
  const RunRecord& run = run_of_nine_hours();
  Time next(0);
  for (const TimelineRow& row : run.timeline) {
    ASSERT_EQ(row.start, next) << "no time is missing, and none is there twice";
    next = row.start + row.length;
    const Time age = hours(9) - next;
    const Time expected = age >= hours(2)      ? seconds(60)
                          : age >= minutes(30) ? seconds(10)
                                               : seconds(1);
    ASSERT_EQ(row.length, expected) << row.start.count();
  }
  EXPECT_EQ(next, hours(9));
}

TEST(AgedTimeline, LongRowsKeepCountsMaximaAndPercentiles) {
  const RunRecord& run = run_of_nine_hours();
  const TimelineRow& first = run.timeline.front();
  EXPECT_EQ(first.all.ops, 60U);
  EXPECT_EQ(first.flow.completed, 60U);
  EXPECT_EQ(first.all.max, Time(901'000'000));
  ASSERT_TRUE(first.all.p50);
  // The fourth of seven values; of a single second there would be none.
  EXPECT_NEAR(static_cast<double>(first.all.p50->count()), 1'300'000, 1'300);
  EXPECT_EQ(first.osds.size(), 3U);
  std::uint64_t ops = 0;
  for (const TimelineRow& row : run.timeline) ops += row.all.ops;
  EXPECT_EQ(ops, 9U * 3600);
}

TEST(AgedTimeline, RunPlannedForAnHourAtMost_HasARowForEverySecond) {
  Folder folder(header_for(hours(1)));
  for (std::int64_t i = 0; i < 2 * 3600; ++i) folder.add(second_at(i));
  EXPECT_EQ(folder.record().timeline.size(), 2U * 3600);
}

TEST(AgedTimeline, TwoDays_HaveFewRows) {
  AgedTimeline aged;
  std::vector<TimelineRow> timeline;
  Interval interval = second_at(1);
  interval.kinds.clear();
  interval.osds.clear();
  for (std::int64_t i = 0; i < std::int64_t{48} * 3600; ++i) {
    interval.start = seconds(i);
    aged.add(interval, timeline);
  }
  EXPECT_LT(timeline.size(), rows_of_two_days);
}

// A second with so many operations on each OSD that its rows are as long as real ones.
Interval busy_second(std::int32_t osds) {
  Recorder recorder;
  for (std::int32_t i = 0; i < osds * 25; ++i) {
    Slot slot;
    slot.op.kind = i % 2 == 0 ? OpKind::read : OpKind::write;
    slot.op.osd = i % osds;
    slot.phase = Phase::measure;
    slot.completed = Time(1'000'003 + i * 4'567 % 1'000'001 + slot.op.osd * 10'000);
    slot.outcome.bytes = 4096;
    recorder.submitted(slot.phase);
    recorder.add(slot, Ending::within);
  }
  Interval interval;
  interval.length = seconds(1);
  interval.absorb(recorder);
  return interval;
}

TEST(AgedTimeline, OnManyOsds_OldRowsKeepTheSlowest) {
  constexpr std::int32_t osds = 30;
  Interval interval = busy_second(osds);
  AgedTimeline aged;
  std::vector<TimelineRow> timeline;
  for (std::int64_t i = 0; i < 700; ++i) {
    interval.start = seconds(i);
    aged.add(interval, timeline);
  }
  for (const TimelineRow& row : timeline) {
    const bool is_old = row.start < seconds(100);
    ASSERT_EQ(row.osds.size(), is_old ? osds_of_old_rows : osds) << row.start.count();
    ASSERT_EQ(row.all.ops, 25U * osds);
  }
  const FiguresByOsd& old = timeline.front().osds;
  EXPECT_EQ(old.begin()->first, osds - static_cast<std::int32_t>(osds_of_old_rows));
}

TEST(AgedTimeline, RecordOfTwoDays_HasLessThan20MiB) {
  constexpr std::size_t most = std::size_t{20} << 20U;
  Interval interval = busy_second(40);
  interval.start = seconds(47 * 3600);
  RunRecord record;
  record.timeline.push_back(row_of(interval));
  record.timeline.back().osds.keep_worst(osds_of_old_rows);
  const std::size_t row = to_json(record).size() - to_json(RunRecord{}).size();
  EXPECT_LT(row * rows_of_two_days, most) << row << " bytes a row";
}

class AgedJournalTest : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return m_folder.path() / "20261121-040012-2f6b.jsonl"; }
  // A run of so many seconds; the journal is aged after `aged_at` of them, if it is at all.
  RunRecord recovered(std::int64_t count, std::optional<std::int64_t> aged_at) const {
    std::string text = encode_line(header_for(hours(48)));
    std::ofstream(path()) << text;
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % 1800 == 5) append(encode_line(Event{seconds(i), "mark", "half an hour"}));
      append(encode_line(second_at(i)));
      if (aged_at == i) {
        EXPECT_TRUE(age_journal(path(), seconds(i + 1)));
      }
    }
    const auto contents = read_journal(path());
    const auto record = fold_journal(*contents, "journal");
    EXPECT_TRUE(record);
    return *record;
  }
  void append(const std::string& text) const { std::ofstream(path(), std::ios::app) << text; }

 private:
  test::TemporaryFolder m_folder;
};

TEST_F(AgedJournalTest, FoldsToTheSameRecord) {
  const RunRecord whole = recovered(2 * 3600, std::nullopt);
  const auto before = std::filesystem::file_size(path());
  const RunRecord aged = recovered(2 * 3600, 6900);
  EXPECT_LT(std::filesystem::file_size(path()), before * 2 / 3);
  EXPECT_TRUE(aged == whole);
  EXPECT_EQ(aged.timeline, whole.timeline);
  EXPECT_EQ(aged.events.size(), 4U);
}

TEST_F(AgedJournalTest, WriterThatReplacedItsFile_IsStillAlive) {
  auto writer = JournalWriter::create(path());
  ASSERT_TRUE(writer);
  (*writer)->append(header_for(hours(48)));
  constexpr std::int64_t old_seconds = 100;
  for (std::int64_t i = 0; i < old_seconds; ++i) (*writer)->append(second_at(i));
  constexpr std::size_t mib = std::size_t{1} << 20U;
  for (int i = 0; i < 17; ++i) {
    (*writer)->append(Event{seconds(3000), "note", std::string(mib, 'x')});
  }
  (*writer)->append(second_at(2 * 3600));
  (*writer)->append(second_at(2 * 3600 + 1));
  EXPECT_TRUE(has_live_writer(path()));
  (*writer)->close();
  EXPECT_FALSE(has_live_writer(path()));
  const auto contents = read_journal(path());
  ASSERT_TRUE(contents);
  // The header, ten times ten old seconds, 17 events, two new seconds.
  EXPECT_EQ(contents->lines.size(), 1U + old_seconds / 10 + 17 + 2);
  EXPECT_FALSE((*writer)->take_error());
}

TEST_F(AgedJournalTest, WithoutRoomForTheShorterOne_TheOldOneStays) {
  std::filesystem::create_directory(shorter_journal(path()));
  append(encode_line(header_for(hours(48))));
  append(encode_line(second_at(0)));
  EXPECT_FALSE(age_journal(path(), hours(3)));
  EXPECT_EQ(read_journal(path())->lines.size(), 2U);
}

TEST_F(AgedJournalTest, UnreadableLinesStay) {
  append(encode_line(header_for(hours(48))));
  append(encode_line(second_at(0)));
  append("{\"what\":\n");
  append(encode_line(second_at(1)));
  ASSERT_TRUE(age_journal(path(), hours(3)));
  const auto contents = read_journal(path());
  ASSERT_EQ(contents->holes.size(), 1U);
  EXPECT_EQ(contents->holes.front().first, 3U);
}

}  // namespace
}  // namespace radosload::record
