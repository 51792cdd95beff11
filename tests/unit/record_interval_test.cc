#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/interval.h"
#include "unit/record_support.h"

namespace radosload::record {
namespace {

using std::chrono::seconds;
using testing::interval_of;
using testing::many_slots;

RC_GTEST_PROP(Interval, LanesMergedAreTheWhole, ()) {
  const auto first = *many_slots();
  const auto second = *many_slots();
  auto both = first;
  both.insert(both.end(), second.begin(), second.end());
  RC_ASSERT(merge_parallel(interval_of(first), interval_of(second)) == interval_of(both));
}

RC_GTEST_PROP(Interval, ParallelMergingTakesAnyOrderAndGrouping, ()) {
  const Interval a = interval_of(*many_slots(), seconds(1));
  const Interval b = interval_of(*many_slots(), seconds(2));
  const Interval c = interval_of(*many_slots(), seconds(1));
  RC_ASSERT(merge_parallel(a, b) == merge_parallel(b, a));
  RC_ASSERT(merge_parallel(merge_parallel(a, b), c) == merge_parallel(a, merge_parallel(b, c)));
}

RC_GTEST_PROP(Interval, SecondsInSequenceAreTheWhole, ()) {
  const auto first = *many_slots();
  const auto second = *many_slots();
  auto both = first;
  both.insert(both.end(), second.begin(), second.end());
  Interval whole = interval_of(both);
  whole.length = seconds(2);
  whole.in_flight = 7;
  Interval early = interval_of(first, seconds(0));
  Interval later = interval_of(second, seconds(1));
  early.in_flight = 5;
  later.in_flight = 7;
  RC_ASSERT(merge_sequence(early, later) == whole);
  RC_ASSERT(merge_sequence(later, early) == whole);
}

RC_GTEST_PROP(Interval, KindsHoldWhatAllOsdsAndTheUnknownOnesHold, ()) {
  const Interval interval = interval_of(*many_slots());
  std::uint64_t completed = 0;
  for (const Cell& cell : interval.kinds) completed += cell.ops();
  RC_ASSERT(completed == interval.measured.completed);
  RC_ASSERT(interval.measured.submitted == interval.measured.ended());
}

RC_GTEST_PROP(Interval, ReducingTouchesOnlyTheListOfOsds, ()) {
  const Interval whole = interval_of(*many_slots());
  Interval reduced = whole;
  keep_worst(reduced, 2);
  std::set<std::int32_t> left;
  for (const Cell& cell : reduced.osds) left.insert(cell.osd);
  RC_ASSERT(left.size() <= 2U);
  reduced.osds = whole.osds;
  reduced.reduced = whole.reduced;
  RC_ASSERT(reduced == whole);
}

TEST(Interval, TheWorstOsdsAreThoseThatFailThenTheSlowOnes) {
  std::vector<Slot> finished;
  for (std::int32_t osd = 0; osd < 20; ++osd) {
    Slot slot;
    slot.op.osd = osd;
    slot.phase = Phase::measure;
    slot.completed = Time(1000 * (osd + 1));
    finished.push_back(slot);
  }
  finished[3].outcome.rc = -EIO;
  Interval interval = interval_of(finished);
  keep_worst(interval, 3);
  ASSERT_EQ(interval.osds.size(), 3U);
  EXPECT_EQ(interval.osds[0].osd, 3);
  EXPECT_EQ(interval.osds[1].osd, 18);
  EXPECT_EQ(interval.osds[2].osd, 19);
  EXPECT_TRUE(interval.reduced);
}

TEST(Interval, FewOsdsAreAllKept) {
  Slot slot;
  slot.op.osd = 5;
  slot.phase = Phase::measure;
  Interval interval = interval_of({slot});
  keep_worst(interval, 1);
  EXPECT_EQ(interval.osds.size(), 1U);
  EXPECT_FALSE(interval.reduced);
}

}  // namespace
}  // namespace radosload::record
