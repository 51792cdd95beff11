// The bytes of a slot in the form that librados and librbd send and receive. Private to the
// targets.
#pragma once

#include <cstddef>
#include <span>

#include "radosload/target.h"

#include <rados/librados.hpp>

namespace radosload::target {

// The memory that a slot's payloads are sent from without a copy. It is reference-counted, and
// messages in flight hold a reference: an operation may have ended and its slot and target be gone
// while a message of it still waits for an OSD. The last reference frees it.
class SendBuffer {
 public:
  // Allocates the memory that the slot requests.
  void serve(Slot& slot);
  // Call before the slot's next payload: gives the slot other memory if the library still refers to
  // this. The caller must not hold a reference from memory().
  void renew(Slot& slot);
  // The first `length` bytes, for one write.
  const librados::bufferlist& bytes(unsigned length);
  const ceph::bufferptr& memory() const { return m_now.memory; }

 private:
  struct Piece {
    ceph::bufferptr memory;
    librados::bufferlist payload;  // the part of it that the last write sent; kept for the next

    bool ours_alone() const;
  };

  Piece m_now;
  // The memory before m_now, which the library still referred to, usually for a moment only.
  Piece m_before;
};

// The received bytes in one piece; copies only if they are not contiguous.
std::span<const std::byte> contiguous(librados::bufferlist& list);

}  // namespace radosload::target
