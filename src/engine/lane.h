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
#include "trace/trace_ring.h"
#include "workload/adaptive_depth.h"
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
  void take(record::Recorder& spare);
  std::uint64_t in_flight() const;
  // Open loop, on the lane's loop: sends what was due before that time and found no timer yet.
  void send_last(Time before);
  // Gives up what has not been answered, which is how many: answers that come yet count nowhere.
  std::uint64_t close();
  // Open loop, once closed: how many operations due in the measured phase were never sent.
  std::uint64_t count_unsent(Time from, Time length);
  Time last_completion() const;
  void collect_stuck(Time sent_before, Stuck& into) const;

 private:
  // Who goes on with a slot: the thread that is still inside submit(), or the callback. Whichever
  // comes second. So a target that completes inline makes a loop, not a recursion.
  enum class Hand : std::uint8_t { submitting, returned, completed };
  struct State {
    std::atomic<Hand> hand{Hand::returned};
    // For the search for stuck operations, from another thread.
    std::atomic<std::int64_t> sent{idle};
    std::atomic<std::uint64_t> object{0};
    // The write that the slot flushes next, or is flushing. Guarded by the lane's lock.
    std::optional<Slot> unflushed;
    workload::Generations::Ticket ticket;
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
  // The next of the lane's own source; false when that has no more, which draw() reports.
  bool draw(Op& op);
  bool draw_quietly(Op& op);
  // Where every write is flushed before its slot does anything else: notes a write that has ended,
  // and counts the pair when its flush has.
  void follow_flushes(const Slot& slot, record::Ending ending);
  // Open loop: how long after its time the operation was sent.
  void note_lateness(const Slot& slot);
  // When everything fails at once, a closed loop would spin through thousands of failures a second:
  // then the slot's next operation waits a moment. Takes over the sending when true.
  bool put_off(Slot& slot);
  // Whether one more may be in flight: always, unless their number is adaptive.
  bool may_send() const { return !m_adaptive || m_in_flight < m_adaptive->depth(); }
  // Adaptive: what an answer says about how many may be in flight, before it is off their count.
  void adapt(const Slot& slot);
  // next_op() of an adaptive closed loop: a slot without one may be free, and those that are free
  // go on when more may be in flight.
  bool next_if_allowed(Slot& slot);
  void send_in_free_slots();
  // Open loop: an operation belongs to the phase in which it was due, however late it is sent.
  Phase phase_of(const Slot& slot, Phase now) const;
  record::Ending ending_of(const Slot& slot) const;
  // The null target pretends latencies by moving the times of sending back. What has been sent in
  // the measured phase is moved into it as a whole.
  void keep_in_phase(Slot& slot) const;
  // Where operations are traced, notes one that has ended.
  void trace(const Slot& slot, record::Ending ending) noexcept;
  // Checks what has been read, and turns the outcome into a failure if it is wrong.
  void verify(Slot& slot) noexcept;
  int verify_read(Slot& slot) noexcept;
  int compare(const workload::Generations::Verdict& verdict, Finding& finding) noexcept;
  // Before an operation is sent; what a write is to be stamped with.
  workload::Generation follow(Slot& slot) noexcept;
  void prepare(Slot& slot) noexcept;
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
  trace::TraceRing* m_trace;  // null: operations are not traced
  std::uint64_t m_in_flight = 0;
  std::optional<workload::AdaptiveDepth> m_adaptive;
  bool m_filling = false;     // adaptive: send_in_free_slots() is about to run
  std::vector<Slot*> m_free;  // open loop, or adaptive
  Time m_epoch{0};            // when the schedule began
  Time m_due{0};              // of the next operation
  Time m_last_completion{0};
  Time m_send_until = Time::min();  // while draining, what is due before may still be sent
  bool m_closed = false;
  bool m_starved = false;  // something is due and no slot was free
  bool m_exhausted = false;
  std::uint64_t m_failures_in_a_row = 0;
};

}  // namespace radosload::engine
