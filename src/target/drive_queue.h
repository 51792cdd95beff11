// How the operations of one lane get to a drive, and their answers back. Private to the target of
// drives; drive_ring and drive_threads are the two ways.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "radosload/target.h"

namespace radosload::target {

// Exactly one thread completes the slot: the one that takes the operation out of `flying`.
enum class DriveFlight : std::uint8_t { none, flying, given_up };

// The operation of one slot. It lives as long as the kernel may answer it, and so does its memory:
// both outlive a slot that was given up.
struct alignas(64) DriveOp {
  Slot* slot = nullptr;
  std::byte* memory = nullptr;
  OpKind kind = OpKind::read;
  std::uint32_t length = 0;
  std::uint64_t offset = 0;  // on the drive
  int result = 0;            // bytes or a negative errno
  std::atomic<DriveFlight> flight{DriveFlight::none};

  // The two halves of an answer. arrive() takes its time and returns whether the slot waits for it;
  // finish() may send the slot's next operation.
  bool arrive(int answer) noexcept;
  void finish() noexcept;
  // Completes the slot now; its answer will be ignored. False if it is answered already.
  bool give_up() noexcept;
};

class DriveQueue {
 public:
  DriveQueue() = default;
  DriveQueue(const DriveQueue&) = delete;
  DriveQueue& operator=(const DriveQueue&) = delete;
  DriveQueue(DriveQueue&&) = delete;
  DriveQueue& operator=(DriveQueue&&) = delete;
  // Only once it is quiet.
  virtual ~DriveQueue() = default;

  // Any thread.
  virtual void send(DriveOp& op) noexcept = 0;
  // Whether the kernel has answered everything. Any thread.
  bool quiet() const noexcept { return m_below.load(std::memory_order_acquire) == 0; }

 protected:
  std::atomic<std::uint32_t> m_below{0};  // operations without an answer
};

struct DriveAccess {
  int fd = -1;
  bool sync_writes = false;  // each write is durable when it is answered
};

// Why the kernel gives this process no ring; empty: it does.
std::string why_no_ring();
// Null when the kernel gives no ring of this depth.
std::unique_ptr<DriveQueue> make_drive_ring(const DriveAccess& access, std::uint32_t depth);
// A thread for each operation in flight. Null when the system allows no more.
std::unique_ptr<DriveQueue> make_drive_threads(const DriveAccess& access, std::uint32_t depth);
// More threads would measure the scheduler.
inline constexpr std::uint32_t most_drive_threads = 512;

}  // namespace radosload::target
