// An operation that blocks a thread, or the kernel, and cannot be taken back: its slot may be given
// up before it ends. Private to the targets of drives and of files.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "radosload/target.h"

namespace radosload::target {

// Exactly one thread completes the slot: the one that takes the operation out of `flying`.
enum class BlockingFlight : std::uint8_t { none, flying, given_up };

// The operation of one slot. It lives as long as what is below may answer it, and so does its
// memory: both outlive a slot that was given up.
struct alignas(64) BlockingOp {
  Slot* slot = nullptr;
  std::byte* memory = nullptr;
  OpKind kind = OpKind::read;
  std::uint32_t length = 0;
  std::uint64_t object = 0;
  std::uint64_t offset = 0;  // on the drive, or in the file
  int result = 0;            // bytes or a negative code of an outcome
  std::atomic<BlockingFlight> flight{BlockingFlight::none};

  // The two halves of an answer. arrive() takes its time and returns whether the slot waits for it;
  // finish() may send the slot's next operation.
  bool arrive(int answer) noexcept;
  void finish() noexcept;
  // Completes the slot now; its answer will be ignored. False if it is answered already.
  bool give_up() noexcept;
};

}  // namespace radosload::target
