// How many operations a closed loop has in flight: fewer while their latencies or their failures
// demand it.

#include "engine/lane.h"

namespace radosload::engine {

void Lane::adapt(const Slot& slot) {
  if (auto* const prefill = std::get_if<workload::PrefillStream>(&m_source)) {
    prefill->ended(slot.op);
  }
  if (!slot.outcome.ok()) return;
  m_adaptive->answered(slot.completed - slot.submitted,
                       static_cast<std::uint32_t>(m_in_flight - 1));
}

bool Lane::next_if_allowed(Slot& slot) {
  if (!may_send()) {
    m_free.push_back(&slot);
    return false;
  }
  if (!next_op(slot)) return false;
  // The callback reuses its own slot; the lane's loop sends in the others.
  if (may_send() && !m_free.empty() && !m_filling) {
    m_filling = true;
    m_loop.post([this] { send_in_free_slots(); });
  }
  return true;
}

void Lane::send_in_free_slots() {
  const auto next_free = [this]() -> Slot* {
    const std::lock_guard lock(m_mutex);
    m_filling = false;
    if (m_closed || m_free.empty() || !may_send()) return nullptr;
    Slot* const slot = m_free.back();
    if (!next_op(*slot)) return nullptr;
    m_free.pop_back();
    return slot;
  };
  while (Slot* const slot = next_free()) drive(*slot);
}

void Lane::put_off(Slot& slot) {
  constexpr Time pause = std::chrono::milliseconds(100);
  m_loop.at(m_loop.now() + pause, [this, &slot] {
    {
      const std::lock_guard lock(m_mutex);
      if (m_closed || !(m_adaptive ? next_if_allowed(slot) : next_op(slot))) return;
    }
    drive(slot);
  });
}

}  // namespace radosload::engine
