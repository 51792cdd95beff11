// What a second, or a longer row of a timeline, says of some operations.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "radosload/units.h"

#include "record/cell.h"

namespace radosload::record {

// A cell of one second in a few numbers: what finished in it, and the latencies of those operations
// that belong to the measured phase. Latencies are response times, except mean_service.
struct Figures {
  std::uint64_t ops = 0;
  std::uint64_t bytes = 0;
  std::uint64_t timed = 0;  // how many operations stand behind the latencies
  std::vector<ErrorCount> errors;
  Time mean{0};
  Time mean_service{0};
  Time max{0};
  std::optional<Time> p50;  // empty with too few operations, or among lost ones
  std::optional<Time> p99;
  bool operator==(const Figures&) const = default;
};
Figures figures_of(const Cell& cell);

}  // namespace radosload::record
