#include "record/recorder.h"

#include <utility>

namespace radosload::record {

Cell& Tally::add_cell(std::size_t key, std::int32_t osd, OpKind kind) {
  if (key >= m_places.size()) m_places.resize(key + 1);
  Cell& cell = m_cells.emplace_back();
  cell.osd = osd;
  cell.kind = kind;
  m_places[key] = static_cast<std::uint32_t>(m_cells.size());
  return cell;
}

void Tally::add_failure(const Slot& slot, Time late_after) {
  Cell& cell = cell_of(slot.op);
  cell.late += slot.submitted - slot.intended > late_after ? 1U : 0U;
  if (slot.outcome.cancelled()) {
    ++cell.cancelled;
  } else {
    add_error(cell.errors, slot.outcome.rc, 1);
  }
}

void Tally::clear() {
  m_flow = {};
  m_last = {};
  for (Cell& cell : m_cells) cell.clear();
}

void Recorder::take(Tally& spare) {
  std::swap(m_tally, spare);
}

}  // namespace radosload::record
