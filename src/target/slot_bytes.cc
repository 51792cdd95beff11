#include "target/slot_bytes.h"

#include <utility>

namespace radosload::target {

namespace {

ceph::bufferptr memory_of(std::size_t bytes) {
  constexpr unsigned cache_line = 64;
  ceph::bufferptr memory(ceph::buffer::create_aligned(static_cast<unsigned>(bytes), cache_line));
  return memory;
}

std::span<std::byte> span_of(ceph::bufferptr& memory) {
  // Ceph uses chars, the content is bytes.
  return {reinterpret_cast<std::byte*>(memory.c_str()), memory.length()};
}

}  // namespace

bool SendBuffer::Piece::ours_alone() const {
  return memory.raw_nref() == (payload.length() == 0 ? 1 : 2);
}

void SendBuffer::serve(Slot& slot) {
  if (slot.room == 0) return;
  m_now.memory = memory_of(slot.room);
  slot.buffer = span_of(m_now.memory);
}

void SendBuffer::renew(Slot& slot) {
  if (!m_now.memory.have_raw() || m_now.ours_alone()) return;
  std::swap(m_now, m_before);
  if (!m_now.memory.have_raw() || !m_now.ours_alone()) m_now = {memory_of(slot.room), {}};
  slot.buffer = span_of(m_now.memory);
}

const librados::bufferlist& SendBuffer::bytes(unsigned length) {
  librados::bufferlist& payload = m_now.payload;
  if (payload.length() != length) {
    payload.clear();
    payload.append(m_now.memory, 0, length);
  }
  // Buffers cache the checksums of their old content.
  payload.invalidate_crc();
  return payload;
}

std::span<const std::byte> contiguous(librados::bufferlist& list) {
  if (list.length() == 0) return {};
  if (list.get_num_buffers() > 1) list.rebuild();
  return {reinterpret_cast<const std::byte*>(list.front().c_str()), list.length()};
}

}  // namespace radosload::target
