// One lane: a share of the slots with its own stream of operations, driven from its loop and from
// the target's callbacks. Closed loop: the thread that finishes an operation sends the next one in
// the same slot. Open loop: the lane's loop sends operations when they are due.
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
#include "engine/slowest.h"
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
  void take_figures(record::Recorder& spare);
  std::uint64_t in_flight() const;
  // Open loop, on the lane's loop: sends operations due before that time that no timer has sent.
  void send_last(Time before);
  // Gives up and counts the unanswered operations; later answers to them are ignored.
  std::uint64_t close();
  // Open loop, once closed: how many operations due in the measured phase were never sent.
  std::uint64_t count_unsent(Time from, Time length);
  Time last_completion() const;
  // Of its operations of the measured phase; complete once it is closed.
  std::vector<SlowOp> slowest() const;
  void collect_stuck(Time sent_before, Stuck& into) const;

 private:
  // Decides whether the thread inside submit() or the callback sends the slot's next operation: the
  // one that comes second. So a target that completes inline causes a loop, not a recursion.
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
  // Sends the slot's operation, and the following ones while answers come inline.
  void drive(Slot& slot) noexcept;
  // Submits the slot to the target. True when the answer came inside submit().
  bool hand_over(Slot& slot) noexcept;
  // Counts the finished operation. True when the slot has a next operation to send.
  bool finish(Slot& slot) noexcept;
  // Whether the slot gets another operation; the lock is held. Otherwise, in an open loop, it
  // becomes free.
  bool follow_on(Slot& slot);
  bool next_op(Slot& slot);
  // Counts the slot's operation as sent in that phase; the lock is held.
  void send_in(Slot& slot, Phase phase);
  // The next operation of the lane's stream or prefill; false at its end, which draw() reports.
  bool draw(Op& op);
  bool draw_quietly(Op& op);
  // In lanes that flush every write before the slot's next operation: remembers a finished write,
  // and counts the pair after its flush.
  void follow_flushes(const Slot& slot, record::Ending ending);
  // Open loop: the delay of the operation's submission.
  void note_lateness(const Slot& slot);
  // If everything fails at once, a closed loop would produce thousands of failures a second; so the
  // slot's next operation is drawn later, unless the phase is over by then.
  void put_off(Slot& slot);
  // Whether one more may be in flight: always, unless the number is adaptive.
  bool may_send() const { return !m_adaptive || m_in_flight < m_adaptive->depth(); }
  // Adaptive: reports an answer to the rule, before the number in flight decreases.
  void adapt(const Slot& slot);
  // next_op() of an adaptive closed loop: a slot that gets no operation becomes free, and free
  // slots are used again when more operations may be in flight.
  bool next_if_allowed(Slot& slot);
  void send_in_free_slots();
  // Open loop: an operation belongs to the phase in which it was due, however late it is sent.
  Phase phase_of(const Slot& slot, Phase now) const;
  record::Ending ending_of(const Slot& slot) const;
  // The null target simulates latencies by moving the submission times back. Operations of the
  // measured phase are moved to times inside it.
  void keep_in_phase(Slot& slot) const;
  // Adds a finished operation to the trace, if there is one.
  void trace(const Slot& slot, record::Ending ending) noexcept;
  // ... what is given up unanswered, and what was due now and is not sent before that end.
  void trace_unanswered(Slot lost);
  void trace_unsent(const Op& op, Time end);
  // Checks the data of a read, and turns the outcome into a failure if it is wrong.
  void verify(Slot& slot) noexcept;
  int verify_read(Slot& slot) noexcept;
  int compare(const workload::Generations::Verdict& verdict, Finding& finding) noexcept;
  // Called before an operation is sent; returns the generation to stamp a write with.
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
  Slowest m_slowest;
  trace::TraceRing* m_trace;  // null: operations are not traced
  std::uint64_t m_in_flight = 0;
  std::optional<workload::AdaptiveDepth> m_adaptive;
  bool m_filling = false;     // adaptive: send_in_free_slots() is about to run
  std::vector<Slot*> m_free;  // open loop, or adaptive
  Time m_epoch{0};            // when the schedule began
  Time m_due{0};              // of the next operation
  Time m_last_completion{0};
  Time m_send_until = Time::min();  // while draining, operations due before this may still be sent
  bool m_closed = false;
  bool m_starved = false;  // something is due and no slot was free
  bool m_exhausted = false;
  std::uint64_t m_failures_in_a_row = 0;
};

}  // namespace radosload::engine
