// What is in the objects: stamped content that neither compresses nor repeats. Every byte is a
// function of (stamp id, object, offset in the object), so any range can be written and any range
// read can be checked without remembering anything; writing a place again writes the same bytes.
//
// Each aligned sector of 512 bytes begins with a stamp of 32 bytes:
//
//   u32 magic   u32 check   u64 stamp id   u64 object   u64 offset
//
// check is a hash of the other three, and those are masked by it: apart from the magic the stamp
// looks as random as the rest, yet anybody can tell whose it is. The rest of the sector is taken
// from a small pool of random words, at a place and xor-ed with a key that depend on the stamp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "radosload/op.h"

namespace radosload::workload {

inline constexpr std::size_t sector_bytes = 512;
inline constexpr std::size_t stamp_bytes = 32;

// The stamp id of a data set: a hash of the id of the run that wrote it. With --reuse that is an
// earlier run than the one that reads.
std::uint64_t stamp_id(std::string_view run_id) noexcept;

// Immutable, cheap to copy, usable from any number of threads at the same time.
class Payload final {
 public:
  explicit Payload(std::uint64_t stamp_id);

  // Writes the content of [op.offset, op.offset + buffer.size()) of op.object; any alignment.
  void fill(const Op& op, std::span<std::byte> buffer) const noexcept;

  // What a read or omap-get of op.length bytes returned. 0, or the first of these that holds:
  // rc_short_read: fewer bytes than op.length; rc_hole: zeros where a stamp should be; rc_stale: a
  // sound stamp of another run, object or offset; rc_corrupt: anything else.
  // Of sectors whose stamp lies in the range the stamp is checked (a hole or a misplaced block is
  // never smaller than a sector); of a sector cut off before that, every byte.
  int check(const Op& op, std::span<const std::byte> data) const noexcept;

 private:
  struct Pool;
  // A piece of a sector: [skip, skip + size) of the one at offset `sector`.
  struct Part {
    std::uint64_t object;
    std::uint64_t sector;
    std::size_t skip;
    std::size_t size;
  };

  void write_sector(std::uint64_t object_hash, std::uint64_t object, std::uint64_t offset,
                    std::byte* out) const noexcept;
  void write_part(std::uint64_t object_hash, const Part& part, std::byte* out) const noexcept;
  int check_part(std::uint64_t object_hash, const Part& part, const std::byte* data) const noexcept;

  std::uint64_t m_id;
  std::shared_ptr<const Pool> m_pool;
};

}  // namespace radosload::workload
