// One unit for all the times of a table, so that figures below one another compare at a glance:
// never "999 us" above "1 ms". Pure, and internal to the room.
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

// For times from the smallest to the largest: "us", "ms" or "s". Zeros are left out by the caller.
TimeUnit unit_between(double smallest_ns, double largest_ns);
// For all of these times; zeros do not count.
TimeUnit unit_of(const std::vector<double>& times_ns);
// Three significant digits at least: "0.812", "8.12", "81.2", "1,234".
std::string in_unit(double ns, TimeUnit unit);
// The same of a percentile: "-" when it is not known, "> 8.00" where a lost operation stands.
std::string ranked_in_unit(const record::Ranked& ranked, TimeUnit unit);

// What a table shows of one cell's latencies: the mean, then the percentiles asked for, then the
// slowest.
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
