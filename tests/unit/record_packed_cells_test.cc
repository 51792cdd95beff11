// Cells in a few bytes: nothing is lost, and damaged bytes are known as such.
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/journal.h"
#include "record/packed_cells.h"
#include "record/varint.h"
#include "unit/record_support.h"

namespace radosload::record {
namespace {

using testing::interval_of;
using testing::many_slots;

std::vector<Cell> unpacked(const std::string& bytes) {
  std::vector<Cell> cells;
  add_packed_cells(cells, bytes);
  return cells;
}

RC_GTEST_PROP(PackedCells, KeepEverything, ()) {
  const Interval interval = interval_of(*many_slots());
  for (const auto& cells : {interval.kinds, interval.osds}) {
    const std::string bytes = packed_cells(cells);
    RC_ASSERT(are_packed_cells(bytes));
    RC_ASSERT(unpacked(bytes) == cells);
  }
}

RC_GTEST_PROP(PackedCells, AddedToCells_AreTheirSum, ()) {
  Interval one = interval_of(*many_slots());
  const Interval other = interval_of(*many_slots());
  const Interval sum = merge_parallel(one, other);
  add_parallel(one, packed(other));
  RC_ASSERT(one == sum);
}

RC_GTEST_PROP(PackedCells, CutOrChanged_NeverReadBeyondTheirEnd, ()) {
  std::string bytes = packed_cells(interval_of(*many_slots()).kinds);
  if (bytes.empty()) return;
  const auto place = *rc::gen::inRange<std::size_t>(0, bytes.size());
  const bool cut = *rc::gen::arbitrary<bool>();
  if (cut) {
    bytes.resize(place);
  } else {
    bytes[place] = *rc::gen::arbitrary<char>();
  }
  // What is accepted can be added, and written again.
  if (are_packed_cells(bytes)) {
    const auto cells = unpacked(bytes);
    RC_ASSERT(unpacked(packed_cells(cells)) == cells);
  }
}

TEST(PackedCells, LargestNumbers_AreKept) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  Cell cell;
  cell.osd = std::numeric_limits<std::int32_t>::max();
  cell.kind = OpKind::sync;
  cell.bytes = cell.finished.bytes = cell.drained.ops = most;
  cell.cancelled = most;
  cell.errors = {{std::numeric_limits<std::int32_t>::min(), most}};
  cell.latency.add(most, 0);
  EXPECT_EQ(unpacked(packed_cells({cell})), std::vector{cell});
}

TEST(PackedCells, ThatAreDamaged_AreRefused) {
  Cell cell;
  cell.latency.add(1'000, 2'000);
  cell.lost.response.add(5);
  const std::string sound = packed_cells({cell});
  EXPECT_TRUE(are_packed_cells(sound));
  EXPECT_TRUE(are_packed_cells(""));
  for (std::size_t length = 1; length < sound.size(); ++length) {
    EXPECT_FALSE(are_packed_cells(sound.substr(0, length))) << length;
  }
  std::string other_kind = sound;
  other_kind[0] = static_cast<char>(op_kind_count);
  EXPECT_FALSE(are_packed_cells(other_kind));
  const std::string too_long(11, '\xff');
  EXPECT_FALSE(are_packed_cells(too_long));
}

TEST(PackedCells, LatencyOutsideItsBuckets_IsRefused) {
  Buckets buckets{.counts = {{Histogram::index_of(1'000), 2}},
                  .total = 2,
                  .min = 1'000,
                  .max = 1'000,
                  .sum = 2'000};
  EXPECT_TRUE(buckets.are_sound());
  buckets.max = 1'000'000;
  EXPECT_FALSE(buckets.are_sound());
  buckets = {};
  EXPECT_TRUE(buckets.are_sound());
  buckets.sum = 1;
  EXPECT_FALSE(buckets.are_sound());
}

TEST(Journal, LineWithDamagedCells_IsRefused) {
  std::vector<Slot> finished(3);
  for (Slot& slot : finished) slot.phase = Phase::measure;
  const Interval interval = interval_of(finished);
  std::string line = encode_line(interval);
  ASSERT_TRUE(decode_line(line, "x"));
  const std::string key = R"("kinds":")";
  const std::size_t at = line.find(key) + key.size();
  ASSERT_LT(at, line.size());
  line.replace(at, 4, "/////w==");
  const auto decoded = decode_line(line, "x");
  ASSERT_FALSE(decoded);
  EXPECT_NE(decoded.error().message().find("'kinds'"), std::string::npos);
  EXPECT_FALSE(decode_packed_line(line, "x"));
}

}  // namespace
}  // namespace radosload::record
