// The files of a run on a file system: the target of `--target cephfs`. libcephfs has no
// asynchronous calls, so each operation in flight has a thread. Each lane has a mount of its own.
// Knows nothing of pacing, recording or of what may be written: a mount cannot leave its root.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "radosload/target.h"
#include "radosload/units.h"

#include "cluster/mount.h"

namespace radosload::target {

struct FileTargetOptions {
  std::uint64_t files = 0;
  std::uint64_t entries = 1;                // files in each directory
  bool data = false;                        // they are read or written, and so kept open
  Time farewell = std::chrono::seconds(5);  // the destructor waits this long for late answers
};

// read and write, which make a file that is not there and keep it open; create, stat, remove (of
// files); list (of a directory, with the attributes of each file). Anything else completes with
// -EOPNOTSUPP. A listing in which files are missing completes with rc_short_read.
//
// A call to libcephfs cannot be taken back. cancel() completes the slots anyway; the target keeps
// their memory until the calls have ended.
class FileTarget final : public Target {
 public:
  using Mounts = std::vector<std::shared_ptr<cluster::Mount>>;

  // A mount for each lane; the directories exist.
  FileTarget(Mounts mounts, FileTargetOptions options);
  // Cancels, ends the calls that wait for an MDS, and waits up to options.farewell. Unanswered
  // operations keep the mounts and their memory, and count as abandoned (cluster::abandoned_work).
  ~FileTarget() override;
  FileTarget(const FileTarget&) = delete;
  FileTarget& operator=(const FileTarget&) = delete;
  FileTarget(FileTarget&&) = delete;
  FileTarget& operator=(FileTarget&&) = delete;

  Status attach(std::span<Slot> slots) override;
  void submit(Slot& slot) noexcept override;
  void cancel() noexcept override;
  bool carries_data() const noexcept override { return true; }

  // Other clients for the passes to come, which know nothing of the files. Between two passes.
  void use(Mounts mounts);

 private:
  struct Core;
  std::shared_ptr<Core> m_core;
};

// More threads would measure the scheduler.
inline constexpr std::uint32_t most_file_threads = 512;
// Each client keeps the files of reads and writes open.
inline constexpr std::uint64_t most_open_files = 100'000;

}  // namespace radosload::target
