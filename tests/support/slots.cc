#include "support/slots.h"

#include <stdexcept>

namespace radosload::test {

Slots::Slots(std::size_t count, std::size_t room, std::uint32_t lanes)
    : m_slots(count), m_states(count) {
  for (std::size_t i = 0; i < count; ++i) {
    Slot& slot = m_slots[i];
    slot.index = static_cast<std::uint32_t>(i);
    slot.lane = slot.index % lanes;
    slot.room = room;
    slot.clock = &m_clock;
    slot.owner = this;
    slot.on_complete = &Slots::on_complete;
  }
}

Status Slots::attach(Target& target) {
  RADOSLOAD_TRY(target.attach(m_slots));
  const std::size_t room = m_slots.front().room;
  if (room == 0 || !m_slots.front().buffer.empty()) return {};
  m_memory.resize(room * m_slots.size());
  for (Slot& slot : m_slots) slot.buffer = std::span(m_memory).subspan(slot.index * room, room);
  return {};
}

void Slots::submit(Target& target, std::size_t i, const Op& op) {
  {
    const std::lock_guard lock(m_mutex);
    ++m_in_flight;
  }
  m_slots[i].op = op;
  m_states[i].target = &target;
  drive(m_slots[i]);
}

Outcome Slots::run(Target& target, const Op& op, std::size_t i) {
  submit(target, i, op);
  if (!wait()) throw std::runtime_error("an operation did not come back");
  return m_slots[i].outcome;
}

bool Slots::wait(Time limit) {
  std::unique_lock lock(m_mutex);
  return m_changed.wait_for(lock, limit, [this] { return m_in_flight == 0; });
}

void Slots::drive(Slot& slot) noexcept {
  State& state = m_states[slot.index];
  do {
    state.hand = Hand::submitting;
    state.awaited = true;
    slot.submitted = m_clock.now();
    state.target->submit(slot);
  } while (state.hand.exchange(Hand::returned) == Hand::answered && finish(slot));
}

void Slots::on_complete(Slot& slot, Outcome outcome) noexcept {
  Slots& self = *static_cast<Slots*>(slot.owner);
  State& state = self.m_states[slot.index];
  if (!state.awaited.exchange(false)) {
    const std::lock_guard lock(self.m_mutex);
    ++self.m_surplus;
    return;
  }
  slot.outcome = outcome;
  if (state.hand.exchange(Hand::answered) == Hand::submitting) return;
  if (self.finish(slot)) self.drive(slot);
}

bool Slots::finish(Slot& slot) noexcept {
  const bool mistimed = slot.completed < slot.submitted || slot.completed > m_clock.now();
  const bool again = next && next(slot);
  const std::lock_guard lock(m_mutex);
  ++m_completions;
  if (mistimed) ++m_mistimed;
  if (again) return true;
  --m_in_flight;
  m_changed.notify_all();
  return false;
}

}  // namespace radosload::test
