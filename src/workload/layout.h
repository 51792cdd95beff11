// The objects behind a pattern: how many, how large, their content before the first measured
// operation, and their names. Pure arithmetic on a Pattern and the properties of the pool; whether
// the objects exist is not known here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "radosload/object_placement.h"
#include "radosload/op.h"
#include "radosload/pattern.h"
#include "radosload/result.h"
#include "radosload/units.h"

#include "workload/prefill_order.h"

namespace radosload::workload {

// The properties of the pool that a layout depends on. The defaults are those of a replicated pool.
struct PoolTraits {
  bool overwrites = true;  // false: an EC pool without allow_ec_overwrites
  Bytes alignment{};       // appends must be multiples of this; 0: any (pool_required_alignment2)
  bool omap = true;        // false on every EC pool
  bool flush = false;      // true for images: objects have nothing to flush
};

// What must exist before a pattern may run.
enum class Prefill : std::uint8_t {
  nothing,  // the pattern makes its own objects: create, and writes of whole objects
  empty,    // objects without content: stat, delete, list, omap-set
  data,     // every byte: reads and partial overwrites (and stat, delete, list with object-size)
  omap,     // every key: omap-get
};

// A contiguous part of something that is counted.
struct Share {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

// The share of a lane. Several lanes may have the same share; this one is lane `lane` of `lanes`
// there.
struct LanePart {
  Share share;
  std::uint32_t lane = 0;
  std::uint32_t lanes = 1;
};

// Which of several processes this one is, when they are one load.
struct Part {
  std::uint32_t index = 0;
  std::uint32_t of = 1;

  bool whole() const { return of == 1; }
  // The number of a lane among those of all processes, and their number. The lanes of an OSD stay
  // beside each other, as in one process with all of them. `loads`: of each process
  // (Layout::loads), among which its lanes are divided equally.
  std::uint32_t lane(std::uint32_t lane, std::uint32_t lanes, std::uint32_t loads) const noexcept {
    if (whole()) return lane;
    const std::uint32_t each = lanes / loads;
    return (lane / each) * each * of + index * each + lane % each;
  }
  std::uint32_t lanes(std::uint32_t lanes) const noexcept { return lanes * of; }
};

struct Layout {
  std::uint64_t objects = 1;
  Bytes object_size;                    // of each; of all values of an object for omap
  Bytes block;                          // of one operation; 0 for stat, create, delete, list
  std::uint64_t blocks_per_object = 1;  // operations that fit an object; none crosses its end
  std::uint64_t slices = 0;             // list: the namespace is listed in this many parts
  // create, delete, cold reads of files: the run ends after each object, or slice, was used once
  bool finite = false;
  bool flush_each_write = false;
  // The objects are divided into this number of equal groups (one for each pinned OSD, or for each
  // image), and so are the lanes: each lane uses only the objects of its own groups.
  std::uint32_t groups = 1;
  std::vector<std::int32_t> osds = {};                    // pinned: the one of each group
  std::shared_ptr<const ObjectPlacement> locations = {};  // null: unknown
  Prefill prefill = Prefill::nothing;
  Bytes prefill_chunk;  // what one prefill operation writes at most

  // One for each pinned OSD, with lanes of its own.
  std::uint32_t loads() const { return osds.empty() ? 1 : static_cast<std::uint32_t>(osds.size()); }
  std::uint64_t blocks() const { return objects * blocks_per_object; }
  // All bytes the objects hold once everything has been written, before replication.
  Bytes total() const { return Bytes{objects * object_size.count}; }
  Bytes prefill_bytes() const;
  std::uint64_t prefill_operations() const;
  Bytes longest_prefill() const;  // the most that one of them writes
  // The place of an operation in the working set, for the trace: in bytes; for objects without
  // content the number of the object, for listings the number of the slice.
  std::uint64_t where(const Op& op) const {
    if (op.kind == OpKind::list || object_size.count == 0) return op.object;
    return op.object * object_size.count + op.offset;
  }
  // The objects of a lane, by their places.
  LanePart territory(std::uint32_t lane, std::uint32_t lanes) const;
};

// Refuses, with a reason and a way out, what the pool cannot do and what cannot be divided among
// this number of lanes. The number of objects is rounded up, so that no run is smaller than
// requested.
Result<Layout> lay_out(const Pattern& pattern, const PoolTraits& pool = {},
                       std::uint32_t lanes = 1);

// The same layout for each of the OSDs, with objects of their own; unchanged without any.
Layout for_each_osd(Layout layout, const std::vector<std::int32_t>& osds);

// What must be written beforehand, one lane's share of it. Chunks of an object come in order, so
// that on a pool without overwrites they are appends.
class PrefillStream final {
 public:
  PrefillStream(const Layout& layout, std::uint32_t lane, std::uint32_t lanes);

  bool done() const noexcept { return m_offset == 0 && m_order.done(); }
  // Not to be called when done().
  Op next() noexcept;
  // One that next() returned was answered, or given up.
  void ended(const Op& op) noexcept { m_order.ended(op.pg); }

 private:
  Op located(Op op) noexcept;

  std::shared_ptr<const ObjectPlacement> m_locations;
  PrefillOrder m_order;
  Prefill m_prefill;
  std::uint64_t m_object_size;
  std::uint64_t m_chunk;
  std::uint64_t m_object = 0;  // being written, if m_offset is above 0
  std::uint64_t m_offset = 0;
};

// Lane `lane`'s share of 0 .. count-1 when it is cut into contiguous parts that differ by one at
// most. Every lane gets something as long as count >= lanes.
Share share_of(std::uint64_t count, std::uint32_t lane, std::uint32_t lanes) noexcept;
// The same where things belong to groups: several lanes share a group, or a lane has several
// groups.
LanePart lane_part_of(std::uint64_t count, std::uint32_t groups, std::uint32_t lane,
                      std::uint32_t lanes) noexcept;

// Object names: "radosload.<run id>.<16 hex digits>". Fixed width, so that names sort as their
// indices do and none is a prefix of another.
inline constexpr std::string_view object_name_prefix = "radosload.";
inline constexpr std::size_t object_name_digits = 16;
constexpr std::size_t object_name_size(std::string_view run_id) {
  return object_name_prefix.size() + run_id.size() + 1 + object_name_digits;
}
// Writes the name into the buffer, which must hold object_name_size(run_id) bytes, and returns the
// part of it that is the name. No allocation, no terminating zero.
std::string_view object_name(std::span<char> buffer, std::string_view run_id,
                             std::uint64_t index) noexcept;

struct ObjectName {
  std::string_view run_id;  // points into the name that was parsed
  std::uint64_t index = 0;
};
// The reverse; empty for a name that radosload does not use.
std::optional<ObjectName> parse_object_name(std::string_view name) noexcept;

// The key of the value at that offset of an object's omap: 16 hex digits, so that keys sort as
// their offsets do. An omap operation covers length / block keys, beginning with offset / block.
inline constexpr std::size_t omap_key_size = 16;
std::string_view omap_key(std::span<char, omap_key_size> buffer, std::uint64_t index) noexcept;

}  // namespace radosload::workload
