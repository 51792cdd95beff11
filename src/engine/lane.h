// One lane: a share of the slots with a stream of operations of its own, driven from its loop and
// from the target's callbacks. Closed loop: whoever finishes an operation sends the next in the
// same slot. Open loop: the lane's loop sends what is due.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "radosload/loop.h"
#include "radosload/target.h"

#include "engine/engine.h"
#include "record/recorder.h"
#include "record/trace_ring.h"
#include "workload/arrival.h"
#include "workload/layout.h"
#include "workload/stream.h"

namespace radosload::engine {

class Lane {
 public:
  Lane(Engine& engine, Target& target, Loop& loop, std::span<Slot> slots, std::uint32_t index,
       std::uint32_t lanes);

  // On the lane's loop: sends the first operations.
  void start();
  Loop& loop() { return m_loop; }
  void take(record::Tally& spare);
  std::uint64_t in_flight() const;
  // Open loop: how many operations due before that time were never sent. After the drain began.
  std::uint64_t unissued(Time before);
  Time last_completion() const;
  void collect_stuck(Time sent_before, Stuck& into) const;

 private:
  // Who goes on with a slot: the thread that is still inside submit(), or the callback. Whichever
  // comes second. So a target that completes inline makes a loop, not a recursion.
  enum class Hand : std::uint8_t { submitting, returned, completed };
  struct Write {
    Op op;
    Phase phase = Phase::warmup;
    Time intended{0};
    Time submitted{0};
  };
  struct State {
    std::atomic<Hand> hand{Hand::returned};
    // For the search for stuck operations, from another thread.
    std::atomic<std::int64_t> sent{idle};
    std::atomic<std::uint64_t> object{0};
    // The write that the slot flushes next, or is flushing. Guarded by the lane's lock.
    std::optional<Write> unflushed;
  };
  static constexpr std::int64_t idle = -1;
  using Source = std::variant<workload::Stream, workload::PrefillStream>;

  static void on_complete(Slot& slot, Outcome outcome) noexcept;
  State& state(const Slot& slot) { return m_states[slot.index - m_slots.front().index]; }
  // Sends the slot's operation, and as long as answers come at once, the ones after it.
  void drive(Slot& slot) noexcept;
  // Gives the slot to the target. True when the answer has come from within.
  bool hand_over(Slot& slot) noexcept;
  // Counts the finished operation. True when the slot carries a next one to send.
  bool finish(Slot& slot) noexcept;
  // Whether the slot goes on, with the lock held. A slot of an open loop that does not is free.
  bool follow_on(Slot& slot);
  bool next_op(Slot& slot);
  // The next of the lane's own source; false when that has no more.
  bool draw(Op& op);
  // Where every write is flushed before its slot does anything else: notes a write that has ended,
  // and counts the pair when its flush has.
  void follow_flushes(const Slot& slot);
  // Open loop: how long after its time the operation was sent.
  void note_lateness(const Slot& slot);
  // When everything fails at once, a closed loop would spin through thousands of failures a second:
  // then the slot's next operation waits a moment. Takes over the sending when true.
  bool put_off(Slot& slot);
  // Where operations are traced, notes one that has ended.
  void trace(const Slot& slot) noexcept;
  void verify(Slot& slot) const noexcept;
  void prepare(Slot& slot) const noexcept;
  // Open loop: sends everything that is due, then waits for the next, or for a free slot.
  void pump();
  bool claim_due(Time now, Slot*& slot);

  Engine& m_engine;
  Target& m_target;
  Loop& m_loop;
  std::span<Slot> m_slots;
  std::vector<State> m_states;

  mutable std::mutex m_mutex;  // guards all below
  Source m_source;
  workload::Schedule m_schedule;
  bool m_flushes;  // each write
  record::Recorder m_recorder;
  record::TraceRing* m_trace;  // null: operations are not traced
  std::uint64_t m_in_flight = 0;
  std::vector<Slot*> m_free;  // open loop
  Time m_epoch{0};            // when the schedule began
  Time m_due{0};              // of the next operation
  Time m_last_completion{0};
  bool m_starved = false;  // something is due and no slot was free
  bool m_exhausted = false;
  std::uint64_t m_failures_in_a_row = 0;
};

}  // namespace radosload::engine
