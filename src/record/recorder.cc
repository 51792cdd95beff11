#include "record/recorder.h"

#include <algorithm>

namespace radosload::record {

Cell& Recorder::add_cell(std::size_t key, std::int32_t osd, OpKind kind) {
  if (key >= m_places.size()) m_places.resize(key + 1);
  Cell& cell = m_cells.emplace_back();
  cell.osd = osd;
  cell.kind = kind;
  m_places[key] = static_cast<std::uint32_t>(m_cells.size());
  return cell;
}

void Recorder::add_failure(const Slot& slot) {
  Cell& cell = cell_of(slot.op);
  cell.late += slot.submitted - slot.intended > late_after ? 1U : 0U;
  if (Lost::holds(slot.outcome)) {
    cell.lost.service.add(positive(slot.completed - slot.submitted));
    cell.lost.response.add(positive(slot.completed - slot.intended));
  }
  if (slot.outcome.cancelled()) {
    ++cell.cancelled;
  } else {
    add_error(cell.errors, slot.outcome.rc, 1);
  }
}

void Recorder::add_lost_pair(const Slot& write, Time lost) {
  Slot pair = write;
  pair.op.kind = OpKind::sync;
  add_unanswered(pair, lost);
}

void Recorder::add_unanswered(const Slot& slot, Time given_up) {
  if (slot.phase != Phase::measure) return;
  Lost& lost = cell_of(slot.op).lost;
  lost.service.add(positive(given_up - slot.submitted));
  lost.response.add(positive(given_up - slot.intended));
}

void Recorder::add_unsent(const Op& op, Time waited) {
  cell_of(op).lost.response.add(positive(waited));
}

void Recorder::add_unmeasured(const Slot& slot, Ending ending) {
  if (slot.outcome.ok()) m_unmeasured_time += slot.completed - slot.intended;
  if (ending != Ending::before) {
    ++m_carried.submitted;
    ++(slot.outcome.ok()          ? m_carried.completed
       : slot.outcome.cancelled() ? m_carried.cancelled
                                  : m_carried.failed);
  }
  const auto osd = static_cast<std::uint32_t>(slot.op.osd);
  // A flush goes to the client's cache; it is not an operation on an OSD.
  if (osd >= osd_limit || slot.op.kind == OpKind::flush) return;
  if (osd >= m_unmeasured.size()) m_unmeasured.resize(osd + 1);
  Ended& ended = m_unmeasured[osd];
  ++ended.all;
  ended.well += slot.outcome.ok() ? 1U : 0U;
}

void Recorder::clear() {
  m_flow = {};
  m_carried = {};
  m_unmeasured_time = Time(0);
  m_last = {};
  m_lateness.clear();
  std::fill(m_unmeasured.begin(), m_unmeasured.end(), Ended{});
  for (Cell& cell : m_cells) cell.clear();
}

}  // namespace radosload::record
