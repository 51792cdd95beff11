#include "target/drive_queue.h"

#include <cerrno>

namespace radosload::target {

namespace {

Outcome outcome_of(DriveOp& op) noexcept {
  Slot& slot = *op.slot;
  slot.received = {};
  if (op.result < 0) return {.rc = op.result};
  if (op.kind == OpKind::flush) return {};
  const auto moved = static_cast<std::uint32_t>(op.result);
  if (op.kind == OpKind::read) {
    slot.received = {op.memory, moved};
    if (moved < op.length) return {.rc = rc_short_read};
  }
  // The kernel gives no reason for a write of which it wrote a part.
  if (moved < op.length) return {.rc = -EIO};
  return {.rc = 0, .bytes = moved};
}

}  // namespace

bool DriveOp::arrive(int answer) noexcept {
  const DriveFlight before = flight.exchange(DriveFlight::none, std::memory_order_acq_rel);
  if (before != DriveFlight::flying) return false;
  slot->answered();
  result = answer;
  return true;
}

void DriveOp::finish() noexcept {
  slot->finish(outcome_of(*this));
}

bool DriveOp::give_up() noexcept {
  auto flying = DriveFlight::flying;
  if (!flight.compare_exchange_strong(flying, DriveFlight::given_up, std::memory_order_acq_rel)) {
    return false;
  }
  slot->complete({.rc = -ECANCELED});
  return true;
}

}  // namespace radosload::target
