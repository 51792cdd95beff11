// Chooses one unit for all times of a table, so that figures can be compared at a glance: never
// "999 us" above "1 ms". Pure, and internal to the room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/cell.h"
#include "record/ranks.h"

namespace radosload::report {

struct TimeUnit {
  std::string_view name;
  double ns = 1;
};

// The unit for times from the smallest to the largest: "us", "ms" or "s". The caller leaves out
// zeros.
TimeUnit unit_between(double smallest_ns, double largest_ns);
// The unit for all of these times; zeros do not count.
TimeUnit unit_of(const std::vector<double>& times_ns);
// At least three significant digits: "0.812", "8.12", "81.2", "1,234".
std::string in_unit(double ns, TimeUnit unit);
// The same for a percentile: "-" when it is unknown, "> 8.00" when it falls among lost operations.
std::string ranked_in_unit(const record::Ranked& ranked, TimeUnit unit);

// The latency cells of a table row: the mean, the requested percentiles, and the maximum.
class LatencyCells {
 public:
  enum class Of : std::uint8_t { response, service };
  LatencyCells(const record::Cell& cell, Of of, const std::vector<record::Quantile>& quantiles);
  void add_to(std::vector<std::string>& cells, TimeUnit unit) const;
  friend TimeUnit unit_of(const std::vector<LatencyCells>& rows);

 private:
  std::optional<double> m_mean;
  std::vector<record::Ranked> m_ranked;
};

// The unit for all of them.
TimeUnit unit_of(const std::vector<LatencyCells>& rows);

}  // namespace radosload::report
