// A drive or a file, past the page cache: the target of `--target block`. The layout's objects lie
// on it one behind the other, as in one image. Knows nothing of pacing, recording or of what may be
// written: the file is open for what the run may do.
#pragma once

#include <chrono>
#include <memory>
#include <span>

#include "radosload/result.h"
#include "radosload/target.h"
#include "radosload/units.h"

#include "base/descriptor.h"

namespace radosload::target {

struct DriveTargetOptions {
  Bytes object_size;
  bool sync_writes = false;                 // each write is durable when it is answered
  bool ring = true;                         // false: threads, because the kernel gives no ring
  bool paced = false;                       // operations are sent when due, not after an answer
  Time farewell = std::chrono::seconds(5);  // the destructor waits this long for late answers
};

// read, write and flush; anything else completes with -EOPNOTSUPP. Each lane has its own queue.
//
// An operation that a drive has begun cannot be taken back. cancel() completes the slots anyway;
// the target keeps their memory until the kernel has answered, because it may still use it.
class DriveTarget final : public Target {
 public:
  // `file`: opened with O_DIRECT.
  DriveTarget(base::Descriptor file, DriveTargetOptions options);
  // Cancels, and waits up to options.farewell. Unanswered operations keep the file and their memory
  // until they end, and count as abandoned (cluster::abandoned_work).
  ~DriveTarget() override;
  DriveTarget(const DriveTarget&) = delete;
  DriveTarget& operator=(const DriveTarget&) = delete;
  DriveTarget(DriveTarget&&) = delete;
  DriveTarget& operator=(DriveTarget&&) = delete;

  Status attach(std::span<Slot> slots) override;
  void submit(Slot& slot) noexcept override;
  void cancel() noexcept override;
  bool carries_data() const noexcept override { return true; }

  // Writes what the drive or the file system still holds in RAM to the medium.
  Status flush();

 private:
  struct Core;
  std::shared_ptr<Core> m_core;
};

}  // namespace radosload::target
