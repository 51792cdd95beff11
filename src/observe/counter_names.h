// The one table of the counters that are read from an OSD's `perf dump`: our name, and what each
// release of Ceph calls it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace radosload::observe {

enum class CounterKind : std::uint8_t {
  time,   // how often and how long: {"avgcount": 7, "sum": 0.5}, or seconds alone
  count,  // only grows
  level,  // as it is at the moment
};

struct CounterName {
  std::string_view ours;
  CounterKind kind = CounterKind::count;
  std::string_view section;              // of the dump
  std::array<std::string_view, 2> ceph;  // the first that the dump has is taken; may be empty
  std::string_view meaning;
};

// Sections in groups; each of our names once.
std::span<const CounterName> counter_names();

}  // namespace radosload::observe
