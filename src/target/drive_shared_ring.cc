// A ring of the kernel for each lane, for operations that are sent when they are due: any thread of
// the lane sends; one thread waits for the answers. What the last of them sends goes to the kernel
// in the same call that waits for the next answer: at depth 1 that halves the calls.
#include <atomic>
#include <mutex>
#include <thread>

#include "target/drive_ring_parts.h"

namespace radosload::target {

namespace {

class SharedRing final : public DriveQueue {
 public:
  explicit SharedRing(const DriveAccess& access) : m_ring(access) {}
  ~SharedRing() override {
    if (!m_reaper.joinable()) return;
    wake_to_leave();
    m_reaper.join();
  }
  SharedRing(const SharedRing&) = delete;
  SharedRing& operator=(const SharedRing&) = delete;
  SharedRing(SharedRing&&) = delete;
  SharedRing& operator=(SharedRing&&) = delete;

  // 0, or a negative errno.
  int open(std::uint32_t depth) {
    // One more for the word that ends the reaper.
    const int rc = m_ring.open(depth + 1, 0);
    if (rc < 0) return rc;
    m_reaper = std::thread([this] { reap(); });
    return 0;
  }

  void send(BlockingOp& op) noexcept override {
    m_below.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(m_mutex);
    m_ring.prepare(op);
    if (finishing_last == this) {
      m_left = true;
    } else {
      m_ring.submit();
    }
  }

  bool quiet() const noexcept override { return m_below.load(std::memory_order_acquire) == 0; }

 private:
  void wake_to_leave() noexcept {
    const std::lock_guard lock(m_mutex);
    io_uring_sqe& entry = m_ring.next_entry();
    io_uring_prep_nop(&entry);
    io_uring_sqe_set_data(&entry, nullptr);
    m_ring.submit();
  }

  void reap() noexcept {
    bool leaving = false;
    while (!leaving) {
      const int rc = m_left ? send_and_wait() : wait();
      if (rc < 0 && !is_passing(rc)) return;
      leaving = take_answers();
    }
  }

  int wait() noexcept {
    io_uring_cqe* first = nullptr;
    return io_uring_wait_cqe(&m_ring.raw(), &first);
  }

  // The call of liburing that does both may not run beside one that sends, so the two halves of it
  // are apart: what is left is shown to the kernel under the mutex, and the wait is outside.
  int send_and_wait() noexcept {
    unsigned left = 0;
    {
      const std::lock_guard lock(m_mutex);
      io_uring_sq& sends = m_ring.raw().sq;
      sends.sqe_head = sends.sqe_tail;
      io_uring_smp_store_release(sends.ktail, sends.sqe_tail);
      left = sends.sqe_tail - io_uring_smp_load_acquire(sends.khead);
    }
    const int rc = io_uring_enter(static_cast<unsigned>(m_ring.raw().ring_fd), left, 1,
                                  IORING_ENTER_GETEVENTS, nullptr);
    m_left = rc < 0;  // after the answers that are there it is tried again
    return rc;
  }

  // Whether the last word was among them.
  bool take_answers() noexcept {
    Answers answers(m_ring.raw());
    answers.finish([this] { finishing_last = this; });
    finishing_last = nullptr;
    m_below.fetch_sub(answers.of_operations(), std::memory_order_release);
    return answers.has_own();
  }

  // The ring whose last answer this thread finishes.
  static thread_local const SharedRing* finishing_last;

  KernelRing m_ring;
  std::atomic<std::uint32_t> m_below{0};  // operations without an answer
  bool m_left = false;                    // of the reaper: an operation is prepared and not sent
  std::mutex m_mutex;                     // guards the side of the ring that sends
  std::thread m_reaper;
};

thread_local const SharedRing* SharedRing::finishing_last = nullptr;

}  // namespace

std::unique_ptr<DriveQueue> make_shared_ring(const DriveAccess& access, std::uint32_t depth) {
  auto ring = std::make_unique<SharedRing>(access);
  if (ring->open(depth) < 0) return nullptr;
  return ring;
}

}  // namespace radosload::target
