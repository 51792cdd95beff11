// The lines that wait to be written into a journal, when the disk does not keep up.
#include <thread>

#include <gtest/gtest.h>

#include "record/journal_queue.h"
#include "unit/record_support.h"

namespace radosload::record {
namespace {

using std::chrono::seconds;
using testing::a_header;
using testing::interval_of;

// One operation on each of some OSDs.
Interval second_of(std::int64_t second, std::int32_t first_osd = 0, std::int32_t osds = 3) {
  std::vector<Slot> finished(static_cast<std::size_t>(osds));
  for (std::size_t i = 0; i < finished.size(); ++i) {
    finished[i].op.osd = first_osd + static_cast<std::int32_t>(i);
    finished[i].phase = Phase::measure;
    finished[i].completed = std::chrono::microseconds(100 + second);
  }
  return interval_of(finished, seconds(second));
}

std::vector<JournalLine> all_of(JournalQueue& queue) {
  queue.close();
  std::vector<JournalLine> lines;
  while (auto line = queue.pop()) lines.push_back(*std::move(line));
  return lines;
}

TEST(JournalQueue, LinesLeaveAsTheyCame) {
  JournalQueue queue;
  const std::vector<JournalLine> lines = {
      a_header(), second_of(0), Event{.at = seconds(1), .kind = "mark", .text = "x"}, second_of(1)};
  for (const JournalLine& line : lines) queue.push(line);
  EXPECT_EQ(all_of(queue), lines);
}

TEST(JournalQueue, WhenTheDiskDoesNotKeepUp_SecondsAreMergedAndNothingIsLost) {
  constexpr std::int64_t length = 10'000;
  JournalQueue queue;
  queue.push(a_header());
  Interval whole = second_of(0);
  for (std::int64_t second = 0; second < length; ++second) {
    if (second > 0) whole = merge_sequence(std::move(whole), second_of(second));
    queue.push(second_of(second));
  }
  const auto lines = all_of(queue);
  EXPECT_EQ(lines.size(), JournalQueue::longest);
  Interval merged = std::get<Interval>(lines.at(1));
  for (std::size_t i = 2; i < lines.size(); ++i) {
    const auto& next = std::get<Interval>(lines[i]);
    EXPECT_EQ(next.start, merged.end()) << "no second is missing or counted twice";
    merged = merge_sequence(std::move(merged), next);
  }
  EXPECT_EQ(merged, whole);
}

TEST(JournalQueue, EventsAndWarmUpsStayWhereTheyWere) {
  JournalQueue queue;
  for (std::size_t i = 0; i < JournalQueue::longest; ++i) queue.push(second_of(-200));
  queue.push(second_of(-100));
  queue.push(Warmup{.length = seconds(100), .settled = true, .trouble = ""});
  queue.push(second_of(0));
  queue.push(Event{.at = seconds(1), .kind = "mark", .text = "x"});
  queue.push(second_of(1));
  queue.push(second_of(2));
  const auto lines = all_of(queue);
  ASSERT_EQ(lines.size(), JournalQueue::longest + 4);
  const std::size_t at = JournalQueue::longest;
  EXPECT_TRUE(std::holds_alternative<Warmup>(lines[at]));
  EXPECT_EQ(std::get<Interval>(lines[at + 1]), second_of(0));
  EXPECT_TRUE(std::holds_alternative<Event>(lines[at + 2]));
  EXPECT_EQ(std::get<Interval>(lines[at + 3]), merge_sequence(second_of(1), second_of(2)));
}

TEST(JournalQueue, AWarmUpIsNotMergedWithWhatIsMeasured) {
  JournalQueue queue;
  for (std::size_t i = 0; i < JournalQueue::longest; ++i) queue.push(second_of(-1));
  queue.push(second_of(0));
  EXPECT_EQ(std::get<Interval>(all_of(queue).back()), second_of(0));
}

// Each second has its own worst OSDs; of a long stall on a large cluster all would be kept.
TEST(JournalQueue, MergedSeconds_KeepTheWorstOsdsOnly) {
  JournalQueue queue;
  for (std::int64_t second = 0; second < 1'000; ++second) {
    Interval one = second_of(second, static_cast<std::int32_t>(second) * 20, 20);
    keep_worst(one, worst_osds);
    queue.push(one);
  }
  EXPECT_LE(std::get<Interval>(all_of(queue).back()).osds.size(), worst_osds);
}

TEST(JournalQueue, DiscardedLinesAreGoneAndLaterOnesAreDropped) {
  JournalQueue queue;
  queue.push(a_header());
  queue.discard();
  queue.push(second_of(0));
  EXPECT_TRUE(all_of(queue).empty());
}

TEST(JournalQueue, ReaderWaitsForALine) {
  JournalQueue queue;
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    queue.push(second_of(7));
    queue.close();
  });
  const auto line = queue.pop();
  EXPECT_FALSE(queue.pop());
  writer.join();
  ASSERT_TRUE(line);
  EXPECT_EQ(std::get<Interval>(*line), second_of(7));
}

}  // namespace
}  // namespace radosload::record
