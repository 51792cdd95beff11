#include "report/time_unit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

TimeUnit unit_between(double smallest_ns, double largest_ns) {
  constexpr TimeUnit us{"us", 1e3};
  constexpr TimeUnit ms{"ms", 1e6};
  constexpr TimeUnit s{"s", 1e9};
  // A value of a tenth of a unit still has three digits.
  constexpr double tenth = 0.1;
  if (smallest_ns >= s.ns * tenth) return s;
  if (smallest_ns >= ms.ns * tenth || largest_ns >= s.ns * tenth) return ms;
  return us;
}

TimeUnit unit_of(const std::vector<double>& times_ns) {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (const double ns : times_ns) {
    if (ns <= 0) continue;
    smallest = std::min(smallest, ns);
    largest = std::max(largest, ns);
  }
  return unit_between(largest > 0 ? smallest : 0, largest);
}

std::string in_unit(double ns, TimeUnit unit) {
  constexpr double below_one = 0.9995;
  const double value = ns / unit.ns;
  if (value > 0 && value < below_one) return fmt::format("{:.3f}", value);
  return rate_text(value);
}

LatencyCells::LatencyCells(const record::Cell& cell, Of of,
                           const std::vector<record::Quantile>& quantiles) {
  const bool response = of == Of::response;
  const record::Histogram& answered = response ? cell.latency.response() : cell.latency.service();
  const record::Ranks ranks = response ? record::response_ranks(cell) : record::service_ranks(cell);
  if (!answered.empty()) m_mean = answered.mean();
  for (const record::Quantile quantile : quantiles) m_ranked.push_back(ranks.percentile(quantile));
  m_ranked.push_back(ranks.max());
}

void LatencyCells::add_to(std::vector<std::string>& cells, TimeUnit unit) const {
  cells.push_back(m_mean ? in_unit(*m_mean, unit) : "-");
  for (const record::Ranked& ranked : m_ranked) cells.push_back(ranked_in_unit(ranked, unit));
}

std::string ranked_in_unit(const record::Ranked& ranked, TimeUnit unit) {
  if (ranked.kind == record::Ranked::Kind::unknown) return "-";
  const bool beyond = ranked.kind == record::Ranked::Kind::beyond;
  return (beyond ? "> " : "") + in_unit(static_cast<double>(ranked.ns), unit);
}

TimeUnit unit_of(const std::vector<LatencyCells>& rows) {
  std::vector<double> times;
  for (const LatencyCells& row : rows) {
    times.push_back(row.m_mean.value_or(0));
    for (const record::Ranked& ranked : row.m_ranked) {
      times.push_back(static_cast<double>(ranked.ns));
    }
  }
  return unit_of(times);
}

}  // namespace radosload::report
