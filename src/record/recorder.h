// Counts finished operations: one Recorder per lane, called once per operation, up to millions of
// times a second. Owns the hot path of recording; knows nothing of time intervals, files or other
// lanes. Not thread-safe: the lane serialises all calls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "radosload/op.h"
#include "radosload/target.h"
#include "radosload/units.h"

#include "record/cell.h"

namespace radosload::record {

// The operation that completed last, as `rados bench` prints it.
struct LastOp {
  Time completed{0};
  Time service{0};
  bool operator==(const LastOp&) const = default;
  // Merging keeps the greater, in any order of merging.
  bool operator<(const LastOp& other) const {
    return completed != other.completed ? completed < other.completed : service < other.service;
  }
};

// Operations that one OSD got outside the measured phase. An OSD's own counters know no phases.
struct Ended {
  std::uint64_t all = 0;
  std::uint64_t well = 0;
};

// When an operation ended, relative to the measured phase.
enum class Ending : std::uint8_t { before, within, after };

// The counts of one lane since its last take. Reused: clear() keeps cells and their memory, and the
// lane counts into a spare one while this one is read.
class Recorder {
 public:
  // An operation submitted this much after its due time is late: far more than a timer's error, far
  // less than an operation of an HDD.
  static constexpr Time late_after = std::chrono::milliseconds(1);

  // Call before the slot goes to the target. Flows and histograms are by the slot's phase, because
  // latencies of a warm-up are not of interest. Throughput is by the time of the answer: operations
  // of the warm-up count when they are answered in the measured phase.
  void submitted(Phase phase) { ++flow_ref(phase).submitted; }
  // Call after `completed` and `outcome` are set. Allocates only for the first operation of a
  // (kind, OSD) pair, of an errno, or of a page of latencies.
  void add(const Slot& slot, Ending ending) {
    Flow& flow = flow_ref(slot.phase);
    const bool measured = slot.phase == Phase::measure;
    if (!measured) add_unmeasured(slot, ending);
    if (!slot.outcome.ok()) [[unlikely]] {
      ++(slot.outcome.cancelled() ? flow.cancelled : flow.failed);
      if (measured) add_failure(slot);
      return;
    }
    ++flow.completed;
    if (ending == Ending::before) return;
    Cell& cell = cell_of(slot.op);
    count(cell, ending, slot.outcome.bytes);
    if (!measured) return;
    cell.bytes += slot.outcome.bytes;
    cell.late += slot.submitted - slot.intended > late_after ? 1U : 0U;
    const Time service = slot.completed - slot.submitted;
    cell.latency.add(positive(service), positive(slot.completed - slot.intended));
    const LastOp now{.completed = slot.completed, .service = service};
    if (now.completed >= m_last.completed) m_last = now;
  }
  // A write whose flush has just succeeded. Its phase is the write's.
  void add_sync(const Slot& write, Time flushed, Ending ending) {
    if (ending == Ending::before) return;
    Op pair = write.op;
    pair.kind = OpKind::sync;
    Cell& cell = cell_of(pair);
    count(cell, ending, write.op.length);
    if (write.phase != Phase::measure) return;
    cell.bytes += write.op.length;
    cell.latency.add(positive(flushed - write.submitted), positive(flushed - write.intended));
  }
  // The delay of an operation of the measured phase that a schedule had set a time for.
  void add_lateness(Time late) { m_lateness.add(positive(late)); }
  // In the measured phase: a pair whose write or flush was lost at that time.
  void add_lost_pair(const Slot& write, Time lost);
  // ... an unanswered operation that is given up at that time; a later answer is not counted.
  void add_unanswered(const Slot& slot, Time given_up);
  // ... an operation that was due this long ago and will not be sent.
  void add_unsent(const Op& op, Time waited);
  void clear();

  const Histogram& lateness() const { return m_lateness; }
  const Flow& flow(Phase phase) const { return m_flow[static_cast<std::size_t>(phase)]; }
  // Of the operations of a warm-up, those that ended after it.
  const Flow& carried() const { return m_carried; }
  LastOp last() const { return m_last; }
  // In the order of first appearance; some may be empty since the last clear().
  std::span<const Cell> cells() const { return m_cells; }
  // Response times of operations outside the measured phase that succeeded, added up.
  Time unmeasured_time() const { return m_unmeasured_time; }
  // By OSD, as far as OSDs are known.
  std::span<const Ended> unmeasured() const { return m_unmeasured; }

 private:
  // OSD IDs above this are invalid: such an operation counts for an unknown OSD.
  static constexpr std::uint32_t osd_limit = 1U << 20U;

  // The clock is monotonic, so a negative latency is an error in a target's order of calls.
  static std::uint64_t positive(Time time) {
    return time.count() > 0 ? static_cast<std::uint64_t>(time.count()) : 0;
  }
  static void count(Cell& cell, Ending ending, std::uint64_t bytes) {
    Amount& amount = ending == Ending::within ? cell.finished : cell.drained;
    ++amount.ops;
    amount.bytes += bytes;
  }
  Flow& flow_ref(Phase phase) { return m_flow[static_cast<std::size_t>(phase)]; }
  Cell& cell_of(const Op& op) {
    const std::int32_t osd = static_cast<std::uint32_t>(op.osd) < osd_limit ? op.osd : no_osd;
    const std::size_t key =
        static_cast<std::size_t>(osd + 1) * op_kind_count + static_cast<std::size_t>(op.kind);
    const std::size_t place = key < m_places.size() ? m_places[key] : 0;
    return place != 0 ? m_cells[place - 1] : add_cell(key, osd, op.kind);
  }
  Cell& add_cell(std::size_t key, std::int32_t osd, OpKind kind);
  void add_failure(const Slot& slot);
  void add_unmeasured(const Slot& slot, Ending ending);

  std::array<Flow, 3> m_flow;  // by Phase
  Flow m_carried;
  LastOp m_last;
  Histogram m_lateness;
  std::vector<std::uint32_t> m_places;  // by (OSD + 1, kind): index in m_cells plus one; 0: none
  std::vector<Cell> m_cells;
  std::vector<Ended> m_unmeasured;  // by OSD
  Time m_unmeasured_time{0};
};

}  // namespace radosload::record
