#include "target/drive_ring_parts.h"

#include <cerrno>

namespace radosload::target {

int KernelRing::open(std::uint32_t entries, unsigned flags) noexcept {
  const int rc = io_uring_queue_init(entries, &m_ring, IORING_SETUP_CLAMP | flags);
  if (rc < 0) return rc;
  m_open = true;
  m_fixed = io_uring_register_files(&m_ring, &m_access.fd, 1) == 0;
  return 0;
}

io_uring_sqe& KernelRing::next_entry() noexcept {
  io_uring_sqe* entry = io_uring_get_sqe(&m_ring);
  while (entry == nullptr) {
    submit();
    entry = io_uring_get_sqe(&m_ring);
  }
  return *entry;
}

void KernelRing::prepare(BlockingOp& op) noexcept {
  io_uring_sqe& entry = next_entry();
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

void KernelRing::submit() noexcept {
  int rc = 0;
  do {
    rc = io_uring_submit(&m_ring);
  } while (is_passing(rc));
}

bool is_passing(int rc) noexcept {
  return rc == -EINTR || rc == -EAGAIN || rc == -EBUSY;
}

Answers::Answers(io_uring& ring) noexcept {
  std::array<io_uring_cqe*, most> entries{};
  const unsigned count = io_uring_peek_batch_cqe(&ring, entries.data(), most);
  for (unsigned i = 0; i < count; ++i) {
    auto* const op = static_cast<BlockingOp*>(io_uring_cqe_get_data(entries[i]));
    if (op == nullptr) {
      m_has_own = true;
      continue;
    }
    ++m_of_operations;
    if (op->arrive(entries[i]->res)) m_ops[m_waiting++] = op;
  }
  io_uring_cq_advance(&ring, count);
}

std::string why_no_ring() {
  io_uring ring{};
  const int rc = io_uring_queue_init(1, &ring, 0);
  if (rc < 0) return "io_uring_setup: " + errno_text(rc);
  io_uring_queue_exit(&ring);
  return {};
}

}  // namespace radosload::target
