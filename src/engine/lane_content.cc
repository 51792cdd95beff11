// Compares what a read returned with the content that is possible there.

#include "radosload/outcome.h"

#include "engine/lane.h"

namespace radosload::engine {

int Lane::compare(const workload::Generations::Verdict& verdict, Finding& finding) noexcept {
  using Is = workload::Generations::Finding;
  if (verdict.finding == Is::permitted) return 0;
  finding.rc = verdict.finding == Is::lost ? rc_lost_write : rc_never_sent;
  finding.offset = finding.op.offset;
  finding.floor = verdict.floor;
  finding.ceiling = verdict.ceiling;
  m_engine.note(finding);
  return finding.rc;
}

int Lane::verify_read(Slot& slot) noexcept {
  const Verify how = m_engine.m_plan.pattern.verify;
  workload::Generations* const generations = m_engine.m_generations.get();
  auto& ticket = state(slot).ticket;
  Finding finding{.op = slot.op, .at = slot.completed};
  if (slot.outcome.ok() && how != Verify::off) {
    const auto content =
        m_engine.m_plan.payload->inspect(slot.op, slot.received, how == Verify::full);
    finding.rc = content.rc;
    finding.offset = content.offset;
    finding.found = content.generation;
    finding.other = content.other;
    finding.meant_object = content.meant_object;
    finding.meant_offset = content.meant_offset;
    if (generations != nullptr && content.rc == 0) {
      // What another run wrote counts as from before this one. A write of this run is of whole
      // blocks, so beside sectors of another run's it was not carried out as a whole.
      const bool mixed = content.foreign && content.generation != 0;
      if (!mixed) return compare(generations->end_read(ticket, content.generation), finding);
      finding.rc = rc_torn;
    }
  }
  if (generations != nullptr) generations->drop_read(ticket);
  if (finding.rc != 0) m_engine.note(finding);
  return finding.rc;
}

}  // namespace radosload::engine
