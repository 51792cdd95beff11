// The tail of a pool's latencies, and the tail without one member: a percentile over the operations
// of all groups that do not contain the member. Exact, by rank. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "radosload/units.h"

namespace radosload::stats {

// With fewer operations the interval of the percentile has no upper end at 95 %: ln(0.025) /
// ln(0.99).
inline constexpr std::uint64_t least_for_p99 = 368;

// A percentile; of a lost operation it is at least that long.
struct TailTime {
  Time time{0};
  bool beyond = false;
  bool operator==(const TailTime&) const = default;
};

class Tail {
 public:
  void reserve(std::size_t operations) { m_operations.reserve(operations); }
  void add(std::uint32_t group, Time latency) { m_operations.push_back({latency, group, false}); }
  // One that never ended, and was given up after this time.
  void add_lost(std::uint32_t group, Time waited) { m_operations.push_back({waited, group, true}); }
  // Once, after the last add().
  void sort();

  std::size_t size() const { return m_operations.size(); }
  // Nearest rank; nothing with too few operations.
  std::optional<TailTime> p99() const;
  // The same over groups that are not marked; `operations` is how many those have.
  std::optional<TailTime> p99_without(const std::vector<bool>& marked,
                                      std::uint64_t operations) const;

 private:
  struct Operation {
    Time latency{0};
    std::uint32_t group = 0;
    bool lost = false;
  };
  std::vector<Operation> m_operations;
};

}  // namespace radosload::stats
