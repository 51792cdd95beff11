// The bytes of a slot as librados and librbd take and give them. Private to the targets.
#pragma once

#include <cstddef>
#include <span>

#include "radosload/target.h"

#include <rados/librados.hpp>

namespace radosload::target {

// The memory that a slot's payloads are sent from, without a copy. It is counted by whoever refers
// to it, messages on their way included: an operation may have ended, its slot and its target be
// gone, and a message of it still wait for an OSD. The last one to let go frees it.
class SendBuffer {
 public:
  // Gives the slot memory of so many bytes as it has asked for.
  void serve(Slot& slot);
  // Before the slot's next payload: gives it other memory if anybody else refers to this. Whoever
  // has taken from memory() has let go of it.
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
  // What m_now was before somebody held on to it: mostly for a moment only.
  Piece m_before;
};

// What has arrived, in one piece: it mostly is; anything else is put together, which copies.
std::span<const std::byte> contiguous(librados::bufferlist& list);

}  // namespace radosload::target
