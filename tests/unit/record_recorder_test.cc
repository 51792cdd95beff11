#include <cerrno>
#include <utility>

#include <gtest/gtest.h>

#include "radosload/outcome.h"

#include <rapidcheck/gtest.h>

#include "record/recorder.h"
#include "support/allocations.h"

namespace radosload::record {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

struct Timing {
  Time intended{0};
  Time submitted{0};
  Time completed{0};
};

Slot finished(OpKind kind, std::int32_t osd, Timing timing, Outcome outcome,
              Phase phase = Phase::measure) {
  Slot slot;
  slot.op.kind = kind;
  slot.op.osd = osd;
  slot.intended = timing.intended;
  slot.submitted = timing.submitted;
  slot.completed = timing.completed;
  slot.outcome = outcome;
  slot.phase = phase;
  return slot;
}

Slot read_taking(Time latency, std::int32_t osd = no_osd, Phase phase = Phase::measure) {
  return finished(OpKind::read, osd, {.completed = latency}, {.rc = 0, .bytes = 4096}, phase);
}

Recorder recorded(std::initializer_list<Slot> slots) {
  Recorder recorder;
  for (const Slot& slot : slots) {
    recorder.submitted(slot.phase);
    recorder.add(slot, slot.phase == Phase::measure ? Ending::within : Ending::before);
  }
  return recorder;
}

TEST(Recorder, KeepsKindsAndOsdsApart) {
  const Recorder recorder = recorded({
      read_taking(microseconds(10), 3),
      read_taking(microseconds(20), 4),
      read_taking(microseconds(30), 3),
      finished(OpKind::write, 3, {.completed = microseconds(40)}, {.rc = 0, .bytes = 100}),
  });
  ASSERT_EQ(recorder.cells().size(), 3U);
  EXPECT_EQ(recorder.cells()[0].osd, 3);
  EXPECT_EQ(recorder.cells()[0].ops(), 2U);
  EXPECT_EQ(recorder.cells()[0].bytes, 8192U);
  EXPECT_EQ(recorder.cells()[1].osd, 4);
  EXPECT_EQ(recorder.cells()[1].latency.service().max(), 20'000U);
  EXPECT_EQ(recorder.cells()[2].kind, OpKind::write);
  EXPECT_EQ(recorder.cells()[2].bytes, 100U);
}

TEST(Recorder, ResponseCountsFromTheIntendedTimeAndServiceFromSubmission) {
  const Recorder recorder = recorded({finished(
      OpKind::read, no_osd,
      {.intended = milliseconds(1), .submitted = milliseconds(5), .completed = milliseconds(7)},
      {.rc = 0, .bytes = 1})});
  const Cell& cell = recorder.cells()[0];
  EXPECT_EQ(cell.latency.service().max(), 2'000'000U);
  EXPECT_EQ(cell.latency.response().max(), 6'000'000U);
  EXPECT_TRUE(cell.latency.differ());
  EXPECT_EQ(cell.late, 1U);
}

TEST(Recorder, LateBeginsAboveTheThreshold) {
  const auto late = [](Time delay) {
    const Slot slot =
        finished(OpKind::read, no_osd, {.submitted = delay, .completed = milliseconds(9)}, {});
    return recorded({slot}).cells()[0].late;
  };
  EXPECT_EQ(late(Recorder::late_after), 0U);
  EXPECT_EQ(late(Recorder::late_after + Time(1)), 1U);
}

TEST(Recorder, TheSecondHistogramContainsWhatCameBeforeTheFirstDifference) {
  const Recorder recorder = recorded({
      read_taking(microseconds(10)),
      finished(OpKind::read, no_osd, {.submitted = Time(5), .completed = microseconds(20)}, {}),
  });
  const Latency& latency = recorder.cells()[0].latency;
  EXPECT_EQ(latency.service().count(), 2U);
  EXPECT_EQ(latency.response().count(), 2U);
  EXPECT_EQ(latency.service().sum(), 10'000U + 19'995U);
  EXPECT_EQ(latency.response().sum(), 10'000U + 20'000U);
}

TEST(Recorder, FailuresAreCountedByCodeAndNeverAsLatency) {
  const Timing quick{.completed = microseconds(1)};
  const Recorder recorder = recorded({
      finished(OpKind::read, 1, quick, {.rc = -ENOENT}),
      finished(OpKind::read, 1, quick, {.rc = rc_hole}),
      finished(OpKind::read, 1, quick, {.rc = -ENOENT}),
      finished(OpKind::read, 1, quick, {.rc = -ECANCELED}),
  });
  const Cell& cell = recorder.cells()[0];
  EXPECT_EQ(cell.ops(), 0U);
  EXPECT_EQ(cell.cancelled, 1U);
  const std::vector<ErrorCount> expected = {{rc_hole, 1}, {-ENOENT, 2}};
  EXPECT_EQ(cell.errors, expected);
  const Flow flow{.submitted = 4, .completed = 0, .failed = 3, .cancelled = 1};
  EXPECT_EQ(recorder.flow(Phase::measure), flow);
}

TEST(Recorder, WarmUpIsCountedButNotMeasured) {
  const Recorder recorder = recorded({read_taking(microseconds(10), 3, Phase::warmup)});
  EXPECT_TRUE(recorder.cells().empty());
  const Flow flow{.submitted = 1, .completed = 1, .failed = 0, .cancelled = 0};
  EXPECT_EQ(recorder.flow(Phase::warmup), flow);
  EXPECT_EQ(recorder.flow(Phase::measure), Flow{});
}

TEST(Recorder, HugeOsdNumber_CountsAsUnknownOsd) {
  const Recorder recorder =
      recorded({read_taking(Time(1), 2'000'000'000), read_taking(Time(1), -7)});
  ASSERT_EQ(recorder.cells().size(), 1U);
  EXPECT_EQ(recorder.cells()[0].osd, no_osd);
  EXPECT_EQ(recorder.cells()[0].ops(), 2U);
}

TEST(Recorder, TheLastOperationIsTheOneThatCompletedLast) {
  const Recorder recorder = recorded({
      finished(OpKind::read, 0, {.submitted = Time(1), .completed = Time(9)}, {}),
      finished(OpKind::read, 0, {.submitted = Time(2), .completed = Time(5)}, {}),
  });
  EXPECT_EQ(recorder.last().completed, Time(9));
  EXPECT_EQ(recorder.last().service, Time(8));
}

TEST(Recorder, Throughput_UsesTheEndOfAnOperationAndLatencyItsPhase) {
  Recorder recorder;
  recorder.add(read_taking(microseconds(10), 3), Ending::within);
  recorder.add(read_taking(microseconds(20), 3), Ending::after);
  recorder.add(read_taking(microseconds(30), 3, Phase::warmup), Ending::before);
  recorder.add(read_taking(microseconds(40), 3, Phase::warmup), Ending::within);
  recorder.add(read_taking(microseconds(50), 3, Phase::warmup), Ending::after);
  ASSERT_EQ(recorder.cells().size(), 1U);
  const Cell& cell = recorder.cells()[0];
  EXPECT_EQ(cell.finished, (Amount{.ops = 2, .bytes = 8192}));
  EXPECT_EQ(cell.drained, (Amount{.ops = 2, .bytes = 8192}));
  EXPECT_EQ(cell.ops(), 2U);
  EXPECT_EQ(cell.bytes, 8192U);
  EXPECT_EQ(cell.latency.service().max(), 20'000U) << "the warm-up's latencies are left out";
  EXPECT_EQ(recorder.carried().submitted, 2U);
  EXPECT_EQ(recorder.carried().completed, 2U);
}

TEST(Recorder, SwappedWithACleared_HoldsOnlyWhatIsNew) {
  Recorder recorder;
  Recorder spare;
  recorder.add(read_taking(microseconds(10), 3), Ending::within);
  std::swap(recorder, spare);
  EXPECT_EQ(spare.cells()[0].ops(), 1U);
  spare.clear();
  recorder.add(read_taking(microseconds(20), 3), Ending::within);
  recorder.add(read_taking(microseconds(30), 3), Ending::within);
  std::swap(recorder, spare);
  EXPECT_EQ(spare.cells()[0].ops(), 2U);
  EXPECT_EQ(spare.cells()[0].latency.service().min(), 20'000U);
}

TEST(Recorder, TheSteadyStateAllocatesNothing) {
  Recorder recorder;
  Recorder spare;
  const auto one_second = [&] {
    for (int i = 0; i < 2000; ++i) {
      const Time submitted(i % 7);
      recorder.add(finished(i % 3 == 0 ? OpKind::write : OpKind::read, i % 12,
                            {.submitted = submitted, .completed = microseconds(100 + i)},
                            {.rc = i % 100 == 0 ? -EIO : 0, .bytes = 4096}),
                   Ending::within);
    }
    std::swap(recorder, spare);
    spare.clear();
  };
  one_second();  // both see every cell, errno and page once
  one_second();
  const std::size_t before = test::allocations();
  for (int i = 0; i < 5; ++i) one_second();
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace radosload::record
