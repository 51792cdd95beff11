// One operation, as the workload describes it. Flat and trivially copyable: millions of these a
// second pass from workload to engine to target.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace radosload {

enum class OpKind : std::uint8_t {
  read,
  write,
  flush,
  discard,
  omap_set,
  omap_get,
  stat,
  create,
  remove,
  list,
  // A write and the flush after it, counted as one. Never submitted: recorded beside the two, and
  // left out of sums over all kinds.
  sync,
};
inline constexpr std::size_t op_kind_count = 11;

// The names used in records, traces and on the command line: "read", "omap-set", "delete", ...
std::string_view op_kind_name(OpKind kind);
std::optional<OpKind> op_kind_from_name(std::string_view name);

inline constexpr std::int32_t no_osd = -1;
inline constexpr std::uint32_t no_pg = 0xffffffffU;

struct Op {
  std::uint64_t object = 0;   // number of the object in the run's set; 0 for an image; list: slice
  std::uint64_t offset = 0;   // in object, image or omap values; list: number of slices
  std::uint32_t length = 0;   // bytes to move (omap: of the values); 0 for operations without data
  std::uint32_t pg = no_pg;   // placement, when it is known
  std::int32_t osd = no_osd;  // the OSD expected to serve it; no_osd: unknown
  OpKind kind = OpKind::read;
};

}  // namespace radosload
