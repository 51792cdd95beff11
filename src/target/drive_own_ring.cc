// A ring of the kernel for each lane that one thread has for itself, for operations that follow an
// answer: it waits for the answers and sends what follows from them. The kernel does its part of an
// answer when this thread waits, instead of interrupting it for each one. What another thread sends
// (the first operations, and what was put off) is handed to it.
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <future>
#include <mutex>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "target/drive_ring_parts.h"

namespace radosload::target {

namespace {

class OwnRing final : public DriveQueue {
 public:
  explicit OwnRing(const DriveAccess& access) : m_ring(access) {}
  ~OwnRing() override {
    if (!m_owner.joinable()) return;
    m_leaving = true;
    wake();
    m_owner.join();
  }
  OwnRing(const OwnRing&) = delete;
  OwnRing& operator=(const OwnRing&) = delete;
  OwnRing(OwnRing&&) = delete;
  OwnRing& operator=(OwnRing&&) = delete;

  // Whether the kernel has such rings (6.1 and later).
  bool open(std::uint32_t depth) {
    m_handed.reserve(depth);
    m_handing.reserve(depth);
    m_wakes = base::Descriptor(::eventfd(0, EFD_CLOEXEC));
    if (m_wakes.get() < 0) return false;
    std::promise<bool> opened;
    auto result = opened.get_future();
    // The thread that makes the ring is the one that may send with it.
    m_owner = std::thread([this, depth, opened = std::move(opened)]() mutable {
      // One more for the wait for a wake.
      const int rc =
          m_ring.open(depth + 1, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN);
      opened.set_value(rc == 0);
      if (rc == 0) work();
    });
    return result.get();
  }

  void send(BlockingOp& op) noexcept override {
    m_below.fetch_add(1, std::memory_order_relaxed);
    if (owned_by_this_thread != this) return hand_over(op);
    m_ring.prepare(op);
    // What the last answer sends goes to the kernel in the call that waits for the next one.
    if (!m_is_last) m_ring.submit();
  }

  bool quiet() const noexcept override { return m_below.load(std::memory_order_acquire) == 0; }

 private:
  void hand_over(BlockingOp& op) noexcept {
    bool first = false;
    {
      const std::lock_guard lock(m_mutex);
      first = m_handed.empty();
      m_handed.push_back(&op);
    }
    if (first) wake();
  }

  void wake() noexcept {
    const std::uint64_t one = 1;
    while (::write(m_wakes.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
  }

  void wait_for_wake() noexcept {
    io_uring_sqe& entry = m_ring.next_entry();
    io_uring_prep_read(&entry, m_wakes.get(), &m_wake_count, sizeof m_wake_count, 0);
    io_uring_sqe_set_data(&entry, nullptr);
  }

  void work() noexcept {
    owned_by_this_thread = this;
    wait_for_wake();
    while (!m_leaving) {
      const int rc = io_uring_submit_and_wait(&m_ring.raw(), 1);
      if (rc < 0 && !is_passing(rc)) return;
      take_answers();
    }
  }

  void take_answers() noexcept {
    Answers answers(m_ring.raw());
    answers.finish([this] { m_is_last = true; });
    m_is_last = false;
    if (answers.has_own()) {
      send_handed();
      wait_for_wake();
    }
    m_below.fetch_sub(answers.of_operations(), std::memory_order_release);
  }

  void send_handed() noexcept {
    {
      const std::lock_guard lock(m_mutex);
      std::swap(m_handed, m_handing);
    }
    for (BlockingOp* const op : m_handing) {
      m_ring.prepare(*op);
      m_ring.submit();
    }
    m_handing.clear();
  }

  static thread_local const OwnRing* owned_by_this_thread;

  KernelRing m_ring;
  base::Descriptor m_wakes;
  std::uint64_t m_wake_count = 0;  // the kernel writes here
  std::atomic<bool> m_leaving{false};
  std::atomic<std::uint32_t> m_below{0};  // operations without an answer
  bool m_is_last = false;                 // of the owner: no answer is left to finish
  std::mutex m_mutex;                     // guards m_handed
  std::vector<BlockingOp*> m_handed;
  std::vector<BlockingOp*> m_handing;  // of the owner
  std::thread m_owner;
};

thread_local const OwnRing* OwnRing::owned_by_this_thread = nullptr;

}  // namespace

std::unique_ptr<DriveQueue> make_own_ring(const DriveAccess& access, std::uint32_t depth) {
  auto ring = std::make_unique<OwnRing>(access);
  if (!ring->open(depth)) return nullptr;
  return ring;
}

}  // namespace radosload::target
