// The sequence of operations of one lane: which object, which offset, how many bytes, read or
// write. A Stream is a function of pattern, layout, seed and lane alone; it knows nothing of time
// and answers, and the same arguments give the same operations.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "radosload/op.h"
#include "radosload/pattern.h"

#include "base/random.h"
#include "workload/layout.h"
#include "workload/zipf.h"

namespace radosload::workload {

// One per lane, used by one thread at a time. No virtual calls, no allocation, no division on the
// uniform and sequential paths.
//
// Random: each lane draws from the whole working set, or from that of its group. Sequential: the
// lanes share it out in contiguous parts and each goes round its own. create, delete: lane i of n
// handles the objects i, i+n, i+2n, ..., so that what exists is a dense range; each once, then it
// is exhausted(); cold reads of files likewise. list: operation = slice `object` of `offset` slices
// of the namespace, about list_page names each.
class Stream final {
 public:
  Stream(const Pattern& pattern, const Layout& layout, std::uint64_t seed, std::uint32_t lane = 0,
         std::uint32_t lanes = 1);

  // Must not be called once exhausted().
  Op next() noexcept;
  // Whether create or delete has gone through its objects; never true of any other pattern.
  bool exhausted() const noexcept { return m_remaining == 0; }

 private:
  static constexpr unsigned no_power = 64;
  enum class Order : std::uint8_t { uniform, zipf, sequential, strided };

  void begin_order(const Pattern& pattern, std::uint64_t seed, const LanePart& mine);
  void place(Op& op) noexcept;
  void advance() noexcept;

  std::shared_ptr<const ObjectPlacement> m_locations;
  Random m_places;  // two streams, so that the read share does not change the places
  Random m_mix;
  Order m_order;
  OpKind m_kind;  // of every operation unless m_mixed
  bool m_mixed;
  std::uint32_t m_length;
  std::uint64_t m_read_below = 0;  // an operation is a read when its 63-bit draw is below this
  std::uint64_t m_first = 0;       // objects are drawn from here on
  std::uint64_t m_objects;         // or slices
  std::uint64_t m_blocks_per_object;
  unsigned m_block_bits;  // its logarithm, which saves a division; no_power when it has none
  std::uint64_t m_slices;
  Share m_share;               // sequential: this lane's blocks
  std::uint64_t m_block = 0;   // sequential: the next block ...
  std::uint64_t m_object = 0;  // ... and the same as object and block in it; strided: next object
  std::uint64_t m_in_object = 0;
  std::uint64_t m_stride = 1;
  std::uint64_t m_remaining = std::numeric_limits<std::uint64_t>::max();
  Zipf m_zipf;
  Scramble m_scramble;
};

}  // namespace radosload::workload
