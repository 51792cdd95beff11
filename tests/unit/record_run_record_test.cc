#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "record/run_log.h"
#include "record/run_record.h"
#include "unit/record_support.h"

namespace radosload::record {
namespace {

using std::chrono::seconds;
using testing::a_header;
using testing::folded;
using testing::footer_for;
using testing::interval_of;
using testing::runs;

RC_GTEST_PROP(Conservation, HoldsForEveryWellBehavedRun, ()) {
  RC_ASSERT(!conservation_violation(folded(*runs())).has_value());
}

// A run in which every law has something to say.
RunRecord busy() {
  std::vector<Slot> finished(20);
  for (std::size_t i = 0; i < finished.size(); ++i) {
    Slot& slot = finished[i];
    slot.op.kind = i % 2 == 0 ? OpKind::read : OpKind::write;
    slot.op.osd = static_cast<std::int32_t>(i % 3);
    slot.phase = i < 4 ? Phase::warmup : Phase::measure;
    slot.completed = Time(1000 + static_cast<Time::rep>(i));
    if (i == 7) slot.outcome.rc = -EIO;
    if (i == 8) slot.outcome.rc = -ECANCELED;
  }
  return folded({interval_of(finished), interval_of(finished, seconds(1))});
}

TEST(Conservation, EveryKindOfLostOperation_IsDetected) {
  ASSERT_EQ(conservation_violation(busy()), std::nullopt);
  using Damage = void (*)(RunRecord&);
  const std::vector<std::pair<const char*, Damage>> damages = {
      {"an operation never came back", [](RunRecord& r) { ++r.measured_flow.submitted; }},
      {"a warm-up operation never came back", [](RunRecord& r) { ++r.unmeasured_flow.submitted; }},
      {"one was left in flight", [](RunRecord& r) { ++r.unfinished; }},
      {"a success was counted twice",
       [](RunRecord& r) { ++r.measured_flow.submitted, ++r.measured_flow.completed; }},
      {"an error was swallowed", [](RunRecord& r) { r.kinds[1].errors.clear(); }},
      {"an error was taken for a success",
       [](RunRecord& r) { --r.measured_flow.failed, ++r.measured_flow.completed; }},
      {"a cancelled one was taken for a failure",
       [](RunRecord& r) { --r.measured_flow.cancelled, ++r.measured_flow.failed; }},
      {"the last interval was dropped", [](RunRecord& r) { r.timeline.pop_back(); }},
      {"an interval was counted twice",
       [](RunRecord& r) { r.timeline.push_back(r.timeline.back()); }},
      {"a kind was lost", [](RunRecord& r) { r.kinds.pop_back(); }},
      {"one that finished was dropped", [](RunRecord& r) { --r.kinds[0].finished.ops; }},
      {"one that was drained was counted twice", [](RunRecord& r) { ++r.kinds[0].drained.ops; }},
      {"one of the warm-up was carried twice", [](RunRecord& r) { ++r.carried_flow.completed; }},
      {"a latency was dropped", [](RunRecord& r) { r.kinds[0].latency.clear(); }},
      {"an OSD was credited with more than there was",
       [](RunRecord& r) { r.osds[0].latency.merge(r.kinds[0].latency); }},
  };
  for (const auto& [name, damage] : damages) {
    RunRecord record = busy();
    damage(record);
    EXPECT_NE(conservation_violation(record), std::nullopt) << name;
  }
}

TEST(Conservation, LostInterval_ContradictsTheEnginesOwnCount) {
  Slot slot;
  slot.phase = Phase::measure;
  const std::vector<Interval> both = {interval_of({slot}), interval_of({slot}, seconds(1))};
  Folder folder(a_header());
  folder.add(both[0]);
  folder.add(footer_for(both));
  EXPECT_NE(conservation_violation(folder.record()), std::nullopt);
}

TEST(Conservation, AKilledRunMayLeaveOperationsInFlight) {
  Slot slot;
  slot.phase = Phase::measure;
  Interval interval = interval_of({slot});
  interval.measured.submitted += 3;
  interval.in_flight = 3;
  Folder folder(a_header());
  folder.add(interval);
  EXPECT_EQ(folder.record().status, RunStatus::incomplete);
  EXPECT_EQ(conservation_violation(folder.record()), std::nullopt);
}

TEST(RunRecord, IopsAreWhatFinishedInTheMeasuredPhasePerSecondOfIt) {
  std::vector<Slot> finished(10);
  for (Slot& slot : finished) {
    slot.phase = Phase::measure;
    slot.outcome.bytes = 1U << 20U;
  }
  // Of two that the warm-up has sent, one is answered in the measured phase.
  finished[0].phase = Phase::warmup;
  finished[1].phase = Phase::warmup;
  finished[1].completed = seconds(2);
  finished[2].outcome = {.rc = -EIO, .bytes = 0};
  // The last two are answered after it.
  std::vector<Slot> drained(finished.end() - 2, finished.end());
  for (Slot& slot : drained) slot.completed = seconds(2);
  finished.resize(8);
  const Interval measured = interval_of(finished);
  const Interval draining = interval_of(drained, seconds(1));
  Folder folder(a_header());
  folder.add(measured);
  folder.add(draining);
  RunFooter footer = footer_for({measured, draining});
  footer.measured = seconds(1);
  folder.add(footer);
  const Cell total = total_of(folder.record().kinds);
  EXPECT_EQ(total.ops(), 7U) << "sent in the measured phase, and succeeded";
  EXPECT_EQ(iops(folder.record(), total), 6.0);
  EXPECT_EQ(mib_per_s(folder.record(), total), 6.0);
  EXPECT_EQ(conservation_violation(folder.record()), std::nullopt);
  ASSERT_EQ(folder.record().timeline.size(), 2U);
  EXPECT_EQ(folder.record().timeline[0].all.ops, 6U);
  EXPECT_EQ(folder.record().timeline[1].all.ops, 2U);
}

TEST(RunRecord, WarmUpHasFlowButNoTimeline) {
  Slot slot;
  slot.phase = Phase::warmup;
  Folder folder(a_header());
  folder.add(interval_of({slot}, seconds(-1)));
  EXPECT_EQ(folder.record().unmeasured_flow.completed, 1U);
  EXPECT_TRUE(folder.record().timeline.empty());
  EXPECT_TRUE(folder.record().kinds.empty());
}

TEST(RunRecord, MedianAndMean_AreNotMixedUp) {
  Cell cell;
  for (const unsigned us : {1U, 1U, 1U, 1U, 1U, 1U, 1U, 1U, 1U, 991U}) {
    cell.latency.add(us * 1000U, us * 1000U);
  }
  const Figures figures = figures_of(cell);
  EXPECT_EQ(figures.mean, std::chrono::microseconds(100));
  EXPECT_EQ(figures.p50, std::chrono::microseconds(1));
  EXPECT_EQ(figures.max, std::chrono::microseconds(991));
  EXPECT_FALSE(figures.p99);
}

TEST(RunRecord, FiguresAreOfResponseTimes) {
  Cell cell;
  cell.latency.add(1000, 5000);
  EXPECT_EQ(figures_of(cell).mean, Time(5000));
  EXPECT_EQ(figures_of(cell).mean_service, Time(1000));
}

}  // namespace
}  // namespace radosload::record
