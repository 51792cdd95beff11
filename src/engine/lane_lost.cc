// Rows of a trace for operations without an outcome. They are added when nothing is in flight any
// more, and there may be millions at once, so adding them may wait for the disk.

#include "radosload/outcome.h"

#include "engine/lane.h"
#include "trace/trace_row.h"

namespace radosload::engine {

void Lane::trace_unanswered(Slot lost) {
  if (m_trace == nullptr || lost.phase != Phase::measure) return;
  lost.outcome = {.rc = rc_unanswered, .bytes = 0};
  const std::uint64_t where = m_engine.m_plan.layout.where(lost.op);
  m_trace->add_after_the_load(trace::trace_row(lost, m_engine.measure_start(), where));
}

void Lane::trace_unsent(const Op& op, Time end) {
  if (m_trace == nullptr) return;
  Slot unsent;
  unsent.op = op;
  unsent.lane = m_slots.front().lane;
  unsent.phase = Phase::measure;
  unsent.intended = m_due;
  // It has no service time; its response time is how long it has waited.
  unsent.submitted = unsent.completed = end;
  unsent.outcome = {.rc = rc_unissued, .bytes = 0};
  const std::uint64_t where = m_engine.m_plan.layout.where(op);
  m_trace->add_after_the_load(trace::trace_row(unsent, m_engine.measure_start(), where));
}

}  // namespace radosload::engine
