#include "target/slot_bytes.h"

namespace radosload::target {

namespace {

// The buffer itself, and the payload that is kept for the next write.
int our_references(const librados::bufferlist& payload) {
  return payload.length() == 0 ? 1 : 2;
}

}  // namespace

void SendBuffer::point_to(const Slot& slot) {
  if (slot.buffer.empty()) return;
  memory = ceph::bufferptr(ceph::buffer::create_static(
      static_cast<unsigned>(slot.buffer.size()), reinterpret_cast<char*>(slot.buffer.data())));
}

const librados::bufferlist& SendBuffer::bytes(unsigned length, librados::bufferlist& copy) {
  if (payload.length() != length) {
    payload.clear();
    payload.append(memory, 0, length);
  }
  if (memory.raw_nref() > our_references(payload)) {
    copy.append(memory.c_str(), length);
    return copy;
  }
  // Buffers remember the checksums of what was in them; the slot's has new content.
  payload.invalidate_crc();
  return payload;
}

bool SendBuffer::unread(int more) const noexcept {
  return !memory.have_raw() || memory.raw_nref() <= our_references(payload) + more;
}

std::span<const std::byte> contiguous(librados::bufferlist& list) {
  if (list.length() == 0) return {};
  if (list.get_num_buffers() > 1) list.rebuild();
  // librados hands out chars; the content is bytes.
  return {reinterpret_cast<const std::byte*>(list.front().c_str()), list.length()};
}

}  // namespace radosload::target
