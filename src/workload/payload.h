// What is in the objects: stamped content that neither compresses nor repeats. Each aligned sector
// of 512 bytes begins with a stamp of 32 bytes. Every byte behind it is a function of the stamp's
// fields, so any range can be written and any range read can be checked
// without remembering anything.
//
// The stamp says which write the sector comes from. Where no generations are counted, and in what a
// run writes before its load, that is generation 0:
//
//   u32 "RDLS"  u32 check   u64 stamp id   u64 object                u64 offset
//
// The others name the run that wrote them (45 bits) and the write's generation (15 bits):
//
//   u32 "RDLG"  u32 check   u64 stamp id   u40 object, u24 writer    u28 sector, u15 generation,
//                                                                    u21 writer
//
// check is a hash of all the rest, and that is masked by it: apart from the magic the stamp looks
// as random as what follows. The rest of the sector is taken from a small pool of random words, at
// a place that depends on stamp id, object and offset, and xor-ed with a key that depends on these
// and on the write. So an old rest behind a newer stamp is found.
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

// Which write a block comes from: 0 is any before the load of this run, others are counted by it.
using Generation = std::uint16_t;
inline constexpr unsigned generation_bits = 15;

// The run that writes. Generations are meaningful only within this run; in blocks of other runs
// they read as 0.
struct Writer {
  std::uint64_t id = 0;
  // Earlier runs may have written to the same objects, with generations of theirs.
  bool others_before = false;
};

// What a read returned.
struct Content {
  int rc = 0;                 // 0, or what is wrong with it: see Payload::inspect
  Generation generation = 0;  // of the whole block; of its first sector when it is torn
  Generation other = 0;       // torn: that of the first sector which differs
  bool foreign = false;       // some of it is by the load of another run, which has generation 0
  std::uint64_t offset = 0;   // of the first sector that is wrong, in the object
  // Misdirected: the object and the offset in it that the sector was written to.
  std::uint64_t meant_object = 0;
  std::uint64_t meant_offset = 0;
};

// Immutable, cheap to copy, usable from any number of threads at the same time.
class Payload final {
 public:
  explicit Payload(std::uint64_t stamp_id, Writer writer = {});

  // Whether generations can be stamped into every block of such a layout: each block must hold
  // whole sectors, and the numbers must fit the stamp.
  static bool holds_generations(std::uint64_t objects, std::uint64_t object_size,
                                std::uint64_t block) noexcept;

  // Writes the content of [op.offset, op.offset + buffer.size()) of op.object: any alignment with
  // generation 0, otherwise whole sectors.
  void fill(const Op& op, std::span<std::byte> buffer, Generation generation = 0) const noexcept;

  // Writes only what follows the stamps that are in the buffer, which has whole sectors.
  void fill_behind_stamps(const Op& op, std::span<std::byte> buffer) const noexcept;

  // What a read or omap-get of op.length bytes returned. Its rc is 0, or the first of these that
  // holds:
  // rc_short_read: fewer bytes than op.length;
  // rc_hole: zeros where a stamp should be;
  // rc_stale: a sound stamp of another data set;
  // rc_misdirected: a sound stamp of another object or offset;
  // rc_torn: a stamp whose check does not fit, or sectors of several generations in one block
  // (other runs may have written parts of it); rc_corrupt: anything else. Of sectors whose stamp
  // lies in the range the stamp is checked (what is lost or misplaced is never smaller than a
  // sector); of a sector cut off before that, every byte (after runs that counted generations: that
  // its bytes are of one write); with every_byte, all.
  Content inspect(const Op& op, std::span<const std::byte> data,
                  bool every_byte = false) const noexcept;
  // Its rc alone.
  int check(const Op& op, std::span<const std::byte> data) const noexcept {
    return inspect(op, data).rc;
  }

 private:
  struct Pool;
  struct Reading;
  // A piece of a sector: [skip, skip + size) of the one at offset `sector`.
  struct Part {
    std::uint64_t object;
    std::uint64_t sector;
    std::size_t skip;
    std::size_t size;
  };

  void write_sector(std::uint64_t object_hash, std::uint64_t object, std::uint64_t offset,
                    std::byte* out) const noexcept;
  // `author`: a hash of the write, 0 where no generations are counted.
  void write_body(std::uint64_t hash, std::uint64_t author, std::byte* out) const noexcept;
  void write_part(std::uint64_t object_hash, const Part& part, std::byte* out) const noexcept;
  int check_part(std::uint64_t object_hash, const Part& part, const std::byte* data) const noexcept;
  // The stamps of [head, tail), which are whole; false when one is wrong.
  bool read_stamps(Reading& reading, std::size_t head) const noexcept;
  int check_parts(const Reading& reading, std::size_t head) const noexcept;
  // The bytes that no stamp and no part covers.
  bool check_bodies(Reading& reading, std::size_t head) const noexcept;

  std::uint64_t m_id;
  Writer m_writer;
  std::shared_ptr<const Pool> m_pool;
};

}  // namespace radosload::workload
