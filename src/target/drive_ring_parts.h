// The kernel's ring (io_uring) and what can be sent with it. Private to the two queues that use
// one. Nothing here is guarded: of several threads one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <liburing.h>

#include "target/drive_queue.h"

namespace radosload::target {

class KernelRing {
 public:
  explicit KernelRing(const DriveAccess& access) : m_access(access) {}
  ~KernelRing() {
    if (m_open) io_uring_queue_exit(&m_ring);
  }
  KernelRing(const KernelRing&) = delete;
  KernelRing& operator=(const KernelRing&) = delete;
  KernelRing(KernelRing&&) = delete;
  KernelRing& operator=(KernelRing&&) = delete;

  // 0, or a negative errno.
  int open(std::uint32_t entries, unsigned flags) noexcept;
  io_uring& raw() noexcept { return m_ring; }

  // There is an entry for each slot, and the kernel takes them in submit(). An entry of the queue's
  // own has null for data.
  io_uring_sqe& next_entry() noexcept;
  void prepare(BlockingOp& op) noexcept;
  // What the kernel does not take now it takes with the next operation.
  void submit() noexcept;

 private:
  DriveAccess m_access;
  io_uring m_ring{};
  bool m_open = false;
  bool m_fixed = false;  // the kernel need not look up the file for each operation
};

// Whether to make the call again.
bool is_passing(int rc) noexcept;

// The answers that are there. The time of all of them is taken before the first is finished.
class Answers {
 public:
  explicit Answers(io_uring& ring) noexcept;

  // Finishes those that a slot waits for; calls before_last() before the last of them.
  template <typename BeforeLast>
  void finish(BeforeLast before_last) noexcept {
    for (unsigned i = 0; i < m_waiting; ++i) {
      if (i + 1 == m_waiting) before_last();
      m_ops[i]->finish();
    }
  }
  std::uint32_t of_operations() const noexcept { return m_of_operations; }
  // Of an entry without an operation.
  bool has_own() const noexcept { return m_has_own; }

 private:
  static constexpr unsigned most = 64;
  std::array<BlockingOp*, most> m_ops{};
  unsigned m_waiting = 0;
  std::uint32_t m_of_operations = 0;
  bool m_has_own = false;
};

}  // namespace radosload::target
