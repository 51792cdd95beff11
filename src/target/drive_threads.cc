// Where the kernel gives no ring: as many threads as operations in flight, each in one system call.
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <sys/uio.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include "target/drive_queue.h"

namespace radosload::target {

namespace {

class DriveThreads final : public DriveQueue {
 public:
  DriveThreads(const DriveAccess& access, std::uint32_t depth)
      : m_access(access), m_waiting(depth) {}
  ~DriveThreads() override {
    {
      const std::lock_guard lock(m_mutex);
      m_leaving = true;
    }
    m_wake.notify_all();
    for (std::thread& thread : m_threads) thread.join();
  }
  DriveThreads(const DriveThreads&) = delete;
  DriveThreads& operator=(const DriveThreads&) = delete;
  DriveThreads(DriveThreads&&) = delete;
  DriveThreads& operator=(DriveThreads&&) = delete;

  // False when the system allows no more threads.
  bool start() {
    try {
      while (m_threads.size() < m_waiting.size()) m_threads.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  void send(DriveOp& op) noexcept override {
    m_below.fetch_add(1, std::memory_order_relaxed);
    {
      const std::lock_guard lock(m_mutex);
      m_waiting[(m_first + m_count++) % m_waiting.size()] = &op;
    }
    m_wake.notify_one();
  }

 private:
  // Null when the threads must end.
  DriveOp* next() noexcept {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return m_count > 0 || m_leaving; });
    if (m_count == 0) return nullptr;
    DriveOp* const op = m_waiting[m_first];
    m_first = (m_first + 1) % m_waiting.size();
    --m_count;
    return op;
  }

  void work() noexcept {
    while (DriveOp* const op = next()) {
      const int answer = carry_out(*op);
      if (op->arrive(answer)) op->finish();
      m_below.fetch_sub(1, std::memory_order_release);
    }
  }

  int carry_out(const DriveOp& op) const noexcept {
    ssize_t moved = 0;
    do {
      moved = call(op);
    } while (moved < 0 && errno == EINTR);
    return moved < 0 ? -errno : static_cast<int>(moved);
  }

  ssize_t call(const DriveOp& op) const noexcept {
    const auto offset = static_cast<off_t>(op.offset);
    if (op.kind == OpKind::read) return ::pread(m_access.fd, op.memory, op.length, offset);
    if (op.kind != OpKind::write) return ::fdatasync(m_access.fd);
    const iovec part{.iov_base = op.memory, .iov_len = op.length};
    return ::pwritev2(m_access.fd, &part, 1, offset, m_access.sync_writes ? RWF_DSYNC : 0);
  }

  DriveAccess m_access;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::vector<DriveOp*> m_waiting;  // a ring with a place for each slot
  std::size_t m_first = 0;
  std::size_t m_count = 0;
  bool m_leaving = false;
  std::vector<std::thread> m_threads;
};

}  // namespace

std::unique_ptr<DriveQueue> make_drive_threads(const DriveAccess& access, std::uint32_t depth) {
  auto threads = std::make_unique<DriveThreads>(access, depth);
  if (!threads->start()) return nullptr;
  return threads;
}

}  // namespace radosload::target
