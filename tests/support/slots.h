// A target's slots without an engine, used as the engine uses them: a slot is sent again only after
// its answer has come and its submit() has returned.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "radosload/target.h"

#include "engine/real_loop.h"
#include "support/wait_for.h"

namespace radosload::test {

class Slots {
 public:
  // Slot i belongs to lane i % lanes. `room`: for the longest payload.
  explicit Slots(std::size_t count, std::size_t room, std::uint32_t lanes = 1);

  std::span<Slot> all() { return m_slots; }
  Slot& operator[](std::size_t i) { return m_slots[i]; }
  // Provides the buffers if the target does not.
  Status attach(Target& target);
  // Sends one operation in slot i; the answer need not come.
  void submit(Target& target, std::size_t i, const Op& op);
  // Sends one and waits for the answer.
  Outcome run(Target& target, const Op& op, std::size_t i = 0);
  // Waits until no slot is in flight. False at the limit.
  bool wait(Time limit = patience);

  std::size_t in_flight() { return read(m_in_flight); }
  std::uint64_t completions() { return read(m_completions); }
  // Answers for slots that were not in flight, and answers whose time is before their submission or
  // in the future: there must be none.
  std::uint64_t surplus() { return read(m_surplus); }
  std::uint64_t mistimed() { return read(m_mistimed); }

  // Called with each answered slot; when true, the slot sends its operation again. Change it only
  // while nothing is in flight.
  std::function<bool(Slot&)> next;

 private:
  // As in the engine: of the thread inside submit() and the one that brings the answer, the second
  // goes on.
  enum class Hand : std::uint8_t { submitting, returned, answered };
  struct State {
    Target* target = nullptr;
    std::atomic<bool> awaited{false};
    std::atomic<Hand> hand{Hand::returned};
  };

  static void on_complete(Slot& slot, Outcome outcome) noexcept;
  void drive(Slot& slot) noexcept;
  // Counts the answer. True when the slot has another operation to send.
  bool finish(Slot& slot) noexcept;
  template <typename Count>
  Count read(const Count& count) {
    const std::lock_guard lock(m_mutex);
    return count;
  }

  std::vector<Slot> m_slots;
  std::vector<State> m_states;
  std::vector<std::byte> m_memory;
  engine::RealLoop m_clock;
  std::mutex m_mutex;  // guards all below
  std::condition_variable m_changed;
  std::size_t m_in_flight = 0;
  std::uint64_t m_completions = 0;
  std::uint64_t m_surplus = 0;
  std::uint64_t m_mistimed = 0;
};

}  // namespace radosload::test
