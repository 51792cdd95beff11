// Where operations go: the seam between the engine and librados, librbd or a simulation. A target
// knows nothing of pacing, recording or payloads; it moves one slot at a time.
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

// One operation in flight. Slots are allocated once, by the engine. Each belongs to one lane;
// between submit() and complete() only the target may touch it, and after complete() it may not.
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
  // submit(). It may point into `buffer` or into memory of the target's.
  std::span<const std::byte> received;

  // The target calls this exactly once for each submit(), from any thread, also from within it.
  void complete(Outcome result) noexcept {
    answered();
    finish(result);
  }
  // The two halves of it, for a target that needs time to find out what the answer says: answered()
  // takes the time of the answer, and belongs before anything else that is done with it.
  void answered() noexcept {
    if (clock != nullptr) completed = clock->now();
  }
  void finish(Outcome result) noexcept { on_complete(*this, result); }
  void (*on_complete)(Slot&, Outcome) noexcept = nullptr;
  const Loop* clock = nullptr;  // the lane's; none: nobody wants the times
  void* owner = nullptr;        // the engine's
  void* driver = nullptr;       // the target's
};

class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  Target(Target&&) = delete;
  Target& operator=(Target&&) = delete;
  virtual ~Target() = default;

  // Once for each set of slots, before the first submit of any of them. A set belongs to one phase
  // of a run (prefill, then load); the slots of the one before have all completed, or the target
  // has been cancelled. They stay where they are until they have completed, and no longer: what a
  // library beneath may still read after that is not the engine's. So a target that hands payloads
  // to one gives each slot a buffer of its own memory here. To all others the engine lends some.
  virtual Status attach(std::span<Slot> slots) = 0;

  // Before a payload is put into the slot's buffer: gives the slot another one if somebody beneath
  // may still read what is in it, though the operation it was for has ended (by a timeout, say).
  virtual void ready_buffer(Slot&) noexcept {}

  // One virtual call an operation; never throws, never allocates on our account, may block only
  // where the library beneath does. Slots of different lanes may be submitted at the same time.
  virtual void submit(Slot& slot) noexcept = 0;

  // Gives up what is in flight: each outstanding slot completes soon, with -ECANCELED unless its
  // answer came first. Returns without waiting for them. Any thread; may be called twice.
  virtual void cancel() noexcept = 0;

  // Whether reads return what was written (null and sim move no bytes, so nothing can be checked).
  virtual bool carries_data() const noexcept = 0;
};

}  // namespace radosload
