// Where the kernel gives no ring: as many threads as operations in flight, each in one system call.
#include <cerrno>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

#include "target/blocking_threads.h"
#include "target/drive_queue.h"

namespace radosload::target {

namespace {

ssize_t call(const DriveAccess& access, const BlockingOp& op) noexcept {
  const auto offset = static_cast<off_t>(op.offset);
  if (op.kind == OpKind::read) return ::pread(access.fd, op.memory, op.length, offset);
  if (op.kind != OpKind::write) return ::fdatasync(access.fd);
  const iovec part{.iov_base = op.memory, .iov_len = op.length};
  return ::pwritev2(access.fd, &part, 1, offset, access.sync_writes ? RWF_DSYNC : 0);
}

int carry_out(const DriveAccess& access, const BlockingOp& op) noexcept {
  ssize_t moved = 0;
  do {
    moved = call(access, op);
  } while (moved < 0 && errno == EINTR);
  return moved < 0 ? -errno : static_cast<int>(moved);
}

class DriveThreads final : public DriveQueue {
 public:
  explicit DriveThreads(std::unique_ptr<BlockingThreads> threads) : m_threads(std::move(threads)) {}

  void send(BlockingOp& op) noexcept override { m_threads->send(op); }
  bool quiet() const noexcept override { return m_threads->quiet(); }

 private:
  std::unique_ptr<BlockingThreads> m_threads;
};

}  // namespace

std::unique_ptr<DriveQueue> make_drive_threads(const DriveAccess& access, std::uint32_t depth) {
  auto threads = BlockingThreads::make(
      depth, [access](const BlockingOp& op) { return carry_out(access, op); });
  if (!threads) return nullptr;
  return std::make_unique<DriveThreads>(std::move(threads));
}

}  // namespace radosload::target
