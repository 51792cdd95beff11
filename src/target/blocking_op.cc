#include "target/blocking_op.h"

#include <cerrno>

namespace radosload::target {

namespace {

Outcome outcome_of(BlockingOp& op) noexcept {
  Slot& slot = *op.slot;
  slot.received = {};
  if (op.result < 0) return {.rc = op.result};
  if (op.kind != OpKind::read && op.kind != OpKind::write) return {};
  const auto moved = static_cast<std::uint32_t>(op.result);
  if (op.kind == OpKind::read) {
    slot.received = {op.memory, moved};
    if (moved < op.length) return {.rc = rc_short_read};
  }
  // There is no reason given for a write of which a part was written.
  if (moved < op.length) return {.rc = -EIO};
  return {.rc = 0, .bytes = moved};
}

}  // namespace

bool BlockingOp::arrive(int answer) noexcept {
  const BlockingFlight before = flight.exchange(BlockingFlight::none, std::memory_order_acq_rel);
  if (before != BlockingFlight::flying) return false;
  slot->answered();
  result = answer;
  return true;
}

void BlockingOp::finish() noexcept {
  slot->finish(outcome_of(*this));
}

bool BlockingOp::give_up() noexcept {
  auto flying = BlockingFlight::flying;
  if (!flight.compare_exchange_strong(flying, BlockingFlight::given_up,
                                      std::memory_order_acq_rel)) {
    return false;
  }
  slot->complete({.rc = -ECANCELED});
  return true;
}

}  // namespace radosload::target
