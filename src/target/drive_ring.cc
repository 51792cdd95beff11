// A ring of the kernel (io_uring) for each lane. Any thread of the lane sends; one thread waits for
// the answers and takes the time of all that are there before it finishes the first of them. What
// the last of them sends goes to the kernel in the same call that waits for the next answer: at
// depth 1 that halves the calls.
#include <array>
#include <atomic>
#include <cerrno>
#include <liburing.h>
#include <mutex>
#include <thread>

#include "radosload/result.h"

#include "target/drive_queue.h"

namespace radosload::target {

namespace {

class DriveRing final : public DriveQueue {
 public:
  explicit DriveRing(const DriveAccess& access) : m_access(access) {}
  ~DriveRing() override {
    if (!m_open) return;
    wake_to_leave();
    m_reaper.join();
    io_uring_queue_exit(&m_ring);
  }
  DriveRing(const DriveRing&) = delete;
  DriveRing& operator=(const DriveRing&) = delete;
  DriveRing(DriveRing&&) = delete;
  DriveRing& operator=(DriveRing&&) = delete;

  // 0, or a negative errno.
  int open(std::uint32_t depth) {
    // One more for the word that ends the reaper.
    const int rc = io_uring_queue_init(depth + 1, &m_ring, IORING_SETUP_CLAMP);
    if (rc < 0) return rc;
    m_open = true;
    m_fixed = io_uring_register_files(&m_ring, &m_access.fd, 1) == 0;
    m_reaper = std::thread([this] { reap(); });
    return 0;
  }

  void send(BlockingOp& op) noexcept override {
    m_below.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(m_mutex);
    io_uring_sqe* const entry = next_entry();
    prepare(*entry, op);
    if (finishing_last == this) {
      m_left = true;
    } else {
      submit();
    }
  }

  bool quiet() const noexcept override { return m_below.load(std::memory_order_acquire) == 0; }

 private:
  // There is an entry for each slot, and the kernel takes them in submit().
  io_uring_sqe* next_entry() noexcept {
    io_uring_sqe* entry = io_uring_get_sqe(&m_ring);
    while (entry == nullptr) {
      submit();
      entry = io_uring_get_sqe(&m_ring);
    }
    return entry;
  }

  void prepare(io_uring_sqe& entry, BlockingOp& op) const noexcept {
    const int fd = m_fixed ? 0 : m_access.fd;
    switch (op.kind) {
      case OpKind::read:
        io_uring_prep_read(&entry, fd, op.memory, op.length, op.offset);
        break;
      case OpKind::write:
        io_uring_prep_write(&entry, fd, op.memory, op.length, op.offset);
        if (m_access.sync_writes) entry.rw_flags = RWF_DSYNC;
        break;
      default:
        io_uring_prep_fsync(&entry, fd, IORING_FSYNC_DATASYNC);
        break;
    }
    if (m_fixed) io_uring_sqe_set_flags(&entry, IOSQE_FIXED_FILE);
    io_uring_sqe_set_data(&entry, &op);
  }

  // What the kernel does not take now it takes with the next operation.
  void submit() noexcept {
    int rc = 0;
    do {
      rc = io_uring_submit(&m_ring);
    } while (rc == -EINTR || rc == -EAGAIN || rc == -EBUSY);
  }

  void wake_to_leave() noexcept {
    const std::lock_guard lock(m_mutex);
    io_uring_sqe* const entry = next_entry();
    io_uring_prep_nop(entry);
    io_uring_sqe_set_data(entry, nullptr);
    submit();
  }

  void reap() noexcept {
    bool leaving = false;
    while (!leaving) {
      const int rc = m_left ? send_and_wait() : wait();
      if (rc < 0 && rc != -EINTR && rc != -EAGAIN && rc != -EBUSY) return;
      leaving = take_answers();
    }
  }

  int wait() noexcept {
    io_uring_cqe* first = nullptr;
    return io_uring_wait_cqe(&m_ring, &first);
  }

  // The call of liburing that does both may not run beside one that sends, so the two halves of it
  // are apart: what is left is shown to the kernel under the mutex, and the wait is outside.
  int send_and_wait() noexcept {
    unsigned left = 0;
    {
      const std::lock_guard lock(m_mutex);
      io_uring_sq& sends = m_ring.sq;
      sends.sqe_head = sends.sqe_tail;
      io_uring_smp_store_release(sends.ktail, sends.sqe_tail);
      left = sends.sqe_tail - io_uring_smp_load_acquire(sends.khead);
    }
    const int rc = io_uring_enter(static_cast<unsigned>(m_ring.ring_fd), left, 1,
                                  IORING_ENTER_GETEVENTS, nullptr);
    m_left = rc < 0;  // after the answers that are there it is tried again
    return rc;
  }

  // Whether the last word was among them.
  bool take_answers() noexcept {
    constexpr unsigned most = 64;
    std::array<io_uring_cqe*, most> entries{};
    std::array<BlockingOp*, most> ours{};
    const unsigned count = io_uring_peek_batch_cqe(&m_ring, entries.data(), most);
    unsigned waiting = 0;
    std::uint32_t answered = 0;
    bool leaving = false;
    for (unsigned i = 0; i < count; ++i) {
      auto* const op = static_cast<BlockingOp*>(io_uring_cqe_get_data(entries[i]));
      if (op == nullptr) {
        leaving = true;
        continue;
      }
      ++answered;
      if (op->arrive(entries[i]->res)) ours[waiting++] = op;
    }
    io_uring_cq_advance(&m_ring, count);
    for (unsigned i = 0; i < waiting; ++i) {
      if (i + 1 == waiting) finishing_last = this;
      ours[i]->finish();
    }
    finishing_last = nullptr;
    m_below.fetch_sub(answered, std::memory_order_release);
    return leaving;
  }

  // The ring whose last answer this thread finishes.
  static thread_local const DriveRing* finishing_last;

  DriveAccess m_access;
  std::atomic<std::uint32_t> m_below{0};  // operations without an answer
  io_uring m_ring{};
  bool m_open = false;
  bool m_fixed = false;  // the kernel need not look up the file for each operation
  bool m_left = false;   // of the reaper: an operation is prepared and not sent
  std::mutex m_mutex;    // guards the side of the ring that sends
  std::thread m_reaper;
};

thread_local const DriveRing* DriveRing::finishing_last = nullptr;

}  // namespace

std::string why_no_ring() {
  io_uring ring{};
  const int rc = io_uring_queue_init(1, &ring, 0);
  if (rc < 0) return "io_uring_setup: " + errno_text(rc);
  io_uring_queue_exit(&ring);
  return {};
}

std::unique_ptr<DriveQueue> make_drive_ring(const DriveAccess& access, std::uint32_t depth) {
  auto ring = std::make_unique<DriveRing>(access);
  if (ring->open(depth) < 0) return nullptr;
  return ring;
}

}  // namespace radosload::target
