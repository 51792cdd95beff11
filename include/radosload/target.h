// The interface between the engine and librados, librbd or a simulation. A target knows nothing of
// pacing, recording or payloads; it moves one slot at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "radosload/loop.h"
#include "radosload/op.h"
#include "radosload/outcome.h"
#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload {

enum class Phase : std::uint8_t { warmup, measure, drain };

// One operation in flight. The engine allocates all slots once. Each belongs to one lane; between
// submit() and complete() only the target may touch it, and after complete() it may not.
struct Slot {
  Op op;
  Time intended{0};   // when the pacer wanted it
  Time submitted{0};  // when it was handed to the target
  Time completed{0};  // when its answer came: see answered()
  Outcome outcome;
  Phase phase = Phase::warmup;  // of the moment of submission
  std::uint32_t lane = 0;
  std::uint32_t index = 0;      // within the whole pool of slots
  std::size_t room = 0;         // for the longest payload; known before attach()
  std::span<std::byte> buffer;  // the first op.length bytes are the payload of a write
  // What a read returned: set by the target before complete(), and valid until the slot's next
  // submit(). It points into `buffer` or into the target's own memory.
  std::span<const std::byte> received;

  // The target calls this exactly once for each submit(), from any thread, possibly inside
  // submit().
  void complete(Outcome result) noexcept {
    answered();
    finish(result);
  }
  // The two halves of complete(), for a target that must first interpret the answer: answered()
  // takes the time of the answer and comes before everything else.
  void answered() noexcept {
    if (clock != nullptr) completed = clock->now();
  }
  void finish(Outcome result) noexcept { on_complete(*this, result); }
  void (*on_complete)(Slot&, Outcome) noexcept = nullptr;
  const Loop* clock = nullptr;  // the lane's; null: times are not needed
  void* owner = nullptr;        // the engine's
  void* driver = nullptr;       // the target's
};

// tests/support/target_contract_test.cc tests what is promised here.
class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  Target(Target&&) = delete;
  Target& operator=(Target&&) = delete;
  // Completes what is in flight, as cancel() does. What a library answers later touches no slot.
  virtual ~Target() = default;

  // Called once for each set of slots, before the first submit of any of them. A set belongs to one
  // phase of a run (prefill, then load); the slots of the previous set have all completed, or the
  // target has been cancelled. Slots live until they have completed, but a library below may read
  // their payload even later. So a target that hands payloads to a library gives each slot a buffer
  // of its own memory here; for other targets the engine provides the buffers.
  virtual Status attach(std::span<Slot> slots) = 0;

  // Call before a payload is put into the slot's buffer: gives the slot another buffer if the
  // library may still read this one, even though its operation has ended (by a timeout, for
  // example).
  virtual void ready_buffer(Slot&) noexcept {}

  // One virtual call per operation; never throws, does not allocate itself, and blocks only where
  // the library below does. Slots of different lanes may be submitted at the same time; a slot is
  // submitted again only after it has completed and this call has returned. A kind of operation
  // that the target does not have completes with -EOPNOTSUPP.
  virtual void submit(Slot& slot) noexcept = 0;

  // Cancels all operations in flight: each outstanding slot completes soon, with -ECANCELED unless
  // its answer came first. Returns without waiting for them. Any thread; may be called twice. After
  // it, submit() completes inline with -ECANCELED until the next attach().
  virtual void cancel() noexcept = 0;

  // Whether reads return what was written (null and sim move no bytes, so nothing can be checked).
  virtual bool carries_data() const noexcept = 0;
};

}  // namespace radosload
