// Where finished operations are counted: one Recorder per lane, touched once by each operation, at
// up to millions a second. Owns the hot path of recording; knows nothing of intervals as time, of
// files or of other lanes. Not synchronised: the lane that owns it serialises all calls.
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
  // Merging keeps the greater, whatever the order of merging.
  bool operator<(const LastOp& other) const {
    return completed != other.completed ? completed < other.completed : service < other.service;
  }
};

// Operations that one OSD got outside the measured phase. An OSD's own counters know no phases.
struct Ended {
  std::uint64_t all = 0;
  std::uint64_t well = 0;
};

// When an operation ended, as seen from the measured phase.
enum class Ending : std::uint8_t { before, within, after };

// What one lane has counted since it began anew. Reused for ever: clear() keeps cells and their
// memory, and a lane goes on with a spare one while what it has counted is read.
class Recorder {
 public:
  // An operation issued this much after its time is late: well above what a timer is off by, well
  // below what an HDD takes.
  static constexpr Time late_after = std::chrono::milliseconds(1);

  // Before the slot goes to the target.
  // Flows and histograms go by the slot's phase: there is nothing to learn from the latencies of a
  // warm-up. Throughput goes by the ending: what a warm-up has sent counts when it is answered in
  // the measured phase.
  void submitted(Phase phase) { ++flow_ref(phase).submitted; }
  // After `completed` and `outcome` are in the slot. Allocates only on the first sight of a (kind,
  // OSD) pair, of an errno, or of a page of latencies.
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
  // A write, of which the flush has just ended well. Its phase is the write's.
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
  // Of an operation of the measured phase that was due at a time of the schedule's: how long after
  // that it was sent.
  void add_lateness(Time late) { m_lateness.add(positive(late)); }
  // Of the measured phase: a pair of which the write or the flush was lost at that time.
  void add_lost_pair(const Slot& write, Time lost);
  // ... one that is given up at that time without an answer, which counts nowhere if it comes yet.
  void add_unanswered(const Slot& slot, Time given_up);
  // ... one that was due so long ago and will not be sent.
  void add_unsent(const Op& op, Time waited);
  void clear();

  const Histogram& lateness() const { return m_lateness; }
  const Flow& flow(Phase phase) const { return m_flow[static_cast<std::size_t>(phase)]; }
  // Of the operations of a warm-up, those that ended after it.
  const Flow& carried() const { return m_carried; }
  LastOp last() const { return m_last; }
  // In the order of first appearance; some may be empty since the last clear().
  std::span<const Cell> cells() const { return m_cells; }
  // By OSD, as far as OSDs are known.
  std::span<const Ended> unmeasured() const { return m_unmeasured; }

 private:
  // OSD ids beyond this are nobody's: such an operation counts as on an unknown OSD.
  static constexpr std::uint32_t osd_limit = 1U << 20U;

  // The clock is monotonic, so a negative latency is a target's slip of order, not of time.
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
};

}  // namespace radosload::record
