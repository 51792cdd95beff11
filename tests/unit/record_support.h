// Records, intervals and cells out of nothing, for the tests of record/ and report/.
#pragma once

#include <cerrno>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "radosload/outcome.h"

#include <rapidcheck/gtest.h>

#include "record/recorder.h"
#include "record/run_record.h"
#include "unit/plan_support.h"

namespace radosload::record::testing {

// A finished operation, as a lane would hand it to its recorder.
inline rc::Gen<Slot> slots() {
  return rc::gen::exec([] {
    Slot slot;
    slot.op.kind = *rc::gen::element(OpKind::read, OpKind::write, OpKind::omap_set);
    slot.op.osd = *rc::gen::inRange(-1, 4);
    slot.intended = Time(*rc::gen::inRange<std::int64_t>(0, 1'000'000'000));
    slot.submitted = slot.intended;
    if (*rc::gen::inRange(0, 4) == 0) slot.submitted += Time(*rc::gen::inRange(0, 5'000'000));
    // Over the octaves, from nothing to seconds.
    slot.completed = slot.submitted + Time(*rc::gen::inRange<std::int64_t>(0, 4'000'000'000) >>
                                           *rc::gen::inRange(0, 30));
    slot.outcome.rc =
        *rc::gen::weightedElement<int>({{20, 0}, {1, -EIO}, {1, -ECANCELED}, {1, rc_hole}});
    slot.outcome.bytes = slot.outcome.ok() ? *rc::gen::inRange(0U, 1U << 22U) : 0U;
    slot.phase = *rc::gen::weightedElement<Phase>({{5, Phase::measure}, {1, Phase::warmup}});
    return slot;
  });
}

enum class Sent : std::uint8_t { when_free, when_due };

// Some slow ones end after the measured phase, and some of the warm-up's within it.
inline Ending ending_of(const Slot& slot) {
  const bool slow = slot.completed - slot.submitted > std::chrono::seconds(1);
  if (slot.phase == Phase::measure) return slow ? Ending::after : Ending::within;
  return slow ? Ending::within : Ending::before;
}

inline Interval interval_of(const std::vector<Slot>& finished, Time start = Time(0),
                            Sent sent = Sent::when_due) {
  Recorder recorder;
  for (const Slot& slot : finished) {
    recorder.submitted(slot.phase);
    recorder.add(slot, ending_of(slot));
    const bool due = sent == Sent::when_due && slot.phase == Phase::measure;
    if (due) recorder.add_lateness(slot.submitted - slot.intended);
  }
  Interval interval;
  interval.start = start;
  interval.length = std::chrono::seconds(1);
  interval.absorb(recorder);
  return interval;
}

inline rc::Gen<std::vector<Slot>> many_slots() {
  return rc::gen::scale(0.5, rc::gen::container<std::vector<Slot>>(slots()));
}

inline Environment environment_of(std::string_view json) {
  auto parsed = environment_from_json(json);
  if (!parsed) throw std::runtime_error(parsed.error().message());
  return *parsed;
}

inline RunHeader a_header() {
  return {.run_id = "20261121-040012-9f3a",
          .started = "2026-11-21T04:00:12Z",
          .program = "radosload 0.1.0",
          .plan = plan::testing::plan_of(R"({"pool":"hdd","pattern":"randrw4k","qd":64})"),
          .environment = environment_of(R"({"fsid":"0c4f","pool":{"name":"hdd"}})")};
}

// What a well-behaved run of these seconds ends with.
inline RunFooter footer_for(const std::vector<Interval>& intervals) {
  RunFooter footer{.status = RunStatus::complete,
                   .ended_by = EndedBy::time,
                   .measured = std::chrono::seconds(intervals.size()),
                   .last_answer = std::chrono::seconds(intervals.size()),
                   .measured_flow = {},
                   .unmeasured_flow = {},
                   .client = {.user_s = 1.25, .system_s = 0.5, .peak_rss_mib = 61.75},
                   .grade = {},
                   .warnings = {"the pool is nearly full"},
                   .osds = {}};
  for (const Interval& interval : intervals) {
    footer.measured_flow += interval.measured;
    footer.unmeasured_flow += interval.unmeasured;
    footer.unissued += total_of(interval.kinds).lost.unsent();
  }
  return footer;
}

// Operations that were due, one every millisecond, and never sent.
inline void add_unsent(Interval& interval, int operations) {
  Recorder recorder;
  for (int i = 0; i < operations; ++i) recorder.add_unsent({}, std::chrono::milliseconds(i));
  interval.absorb(recorder);
}

inline rc::Gen<std::vector<Interval>> runs() {
  return rc::gen::exec([] {
    std::vector<Interval> intervals;
    const int seconds = *rc::gen::inRange(0, 6);
    intervals.reserve(static_cast<std::size_t>(seconds));
    for (int i = 0; i < seconds; ++i) {
      intervals.push_back(interval_of(*many_slots(), std::chrono::seconds(i)));
    }
    if (!intervals.empty()) add_unsent(intervals.back(), *rc::gen::inRange(0, 5));
    return intervals;
  });
}

inline RunRecord folded(const std::vector<Interval>& intervals) {
  Folder folder(a_header());
  for (const Interval& interval : intervals) folder.add(interval);
  folder.add(Event{.at = std::chrono::milliseconds(1500), .kind = "stuck", .text = "osd.3: 2 ops"});
  folder.add(footer_for(intervals));
  return folder.record();
}

// 100 reads of 100 us on osd.3, then one that failed: enough for p50 and p90, not for p99.
inline RunRecord small_record() {
  std::vector<Slot> finished(101);
  for (Slot& slot : finished) {
    slot.op.osd = 3;
    slot.phase = Phase::measure;
    slot.completed = std::chrono::microseconds(100);
    slot.outcome.bytes = 1U << 20U;
  }
  finished.back().outcome = {.rc = -ENOENT, .bytes = 0};
  return folded({testing::interval_of(finished, Time(0), testing::Sent::when_free)});
}

}  // namespace radosload::record::testing
