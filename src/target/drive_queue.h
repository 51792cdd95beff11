// How the operations of one lane get to a drive, and their answers back. Private to the target of
// drives; a ring of the kernel (io_uring) and threads are the two ways.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "target/blocking_op.h"

namespace radosload::target {

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
  virtual void send(BlockingOp& op) noexcept = 0;
  // Whether the kernel has answered everything. Any thread.
  virtual bool quiet() const noexcept = 0;
};

struct DriveAccess {
  int fd = -1;
  bool sync_writes = false;  // each write is durable when it is answered
};

// Why the kernel gives this process no ring; empty: it does.
std::string why_no_ring();
// For operations that follow an answer, and for those that are sent when they are due. Null when
// the kernel gives no such ring of this depth.
std::unique_ptr<DriveQueue> make_own_ring(const DriveAccess& access, std::uint32_t depth);
std::unique_ptr<DriveQueue> make_shared_ring(const DriveAccess& access, std::uint32_t depth);
// A thread for each operation in flight. Null when the system allows no more.
std::unique_ptr<DriveQueue> make_drive_threads(const DriveAccess& access, std::uint32_t depth);
// More threads would measure the scheduler.
inline constexpr std::uint32_t most_drive_threads = 512;

}  // namespace radosload::target
