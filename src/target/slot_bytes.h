// The bytes of a slot as librados and librbd take and give them: buffer lists around memory that
// stays where it is. Private to the targets.
#pragma once

#include <cstddef>
#include <span>

#include "radosload/target.h"

#include <rados/librados.hpp>

namespace radosload::target {

// A slot's buffer as what is sent from it; nothing is copied unless somebody still reads it.
struct SendBuffer {
  ceph::bufferptr memory;        // the slot's buffer
  librados::bufferlist payload;  // the part of it that the last write sent

  void point_to(const Slot& slot);
  // The first `length` bytes, for one write. They go into `copy` when the library beneath still
  // holds the buffer from an earlier operation: a message for an OSD that has left, sent again to
  // another, may.
  const librados::bufferlist& bytes(unsigned length, librados::bufferlist& copy);
  // Whether nobody but us looks at the buffer; `more` references are known to be harmless.
  bool unread(int more = 0) const noexcept;
};

// What has arrived, in one piece: it mostly is; anything else is put together, which copies.
std::span<const std::byte> contiguous(librados::bufferlist& list);

}  // namespace radosload::target
