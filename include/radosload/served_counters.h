// An OSD's counters of the operations that it served, with Ceph's names in `perf dump`: since the
// OSD started, or their growth during a run.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace radosload {

struct ServedCounters {
  std::uint64_t op = 0;  // operations of all clients that it led
  std::uint64_t op_r = 0;
  std::uint64_t op_w = 0;
  std::uint64_t op_rw = 0;
  std::uint64_t op_r_out_bytes = 0;
  std::uint64_t op_w_in_bytes = 0;
  std::uint64_t subop_w = 0;  // for PGs that others lead
  bool operator==(const ServedCounters&) const = default;
};

using ServedCounter = std::pair<const char*, std::uint64_t ServedCounters::*>;
inline constexpr std::array<ServedCounter, 7> served_counters = {
    {{"op", &ServedCounters::op},
     {"op_r", &ServedCounters::op_r},
     {"op_w", &ServedCounters::op_w},
     {"op_rw", &ServedCounters::op_rw},
     {"op_r_out_bytes", &ServedCounters::op_r_out_bytes},
     {"op_w_in_bytes", &ServedCounters::op_w_in_bytes},
     {"subop_w", &ServedCounters::subop_w}}};

}  // namespace radosload
