#include "run/settling.h"

#include <algorithm>
#include <array>
#include <span>

#include "radosload/units.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

// Seconds are judged by themselves and in groups: on a slow drive single seconds have so few
// operations that chance alone moves them by more than the rule allows.
constexpr std::array<std::size_t, 3> widths = {1, 2, 4};
// The first and the last second of a phase may be cut short; such a piece says little.
constexpr double least_length = 0.5;

}  // namespace

void Settling::add(const record::Interval& interval) {
  const double length = seconds(interval.length);
  if (length < least_length) return;
  m_seconds.push_back({.ops = static_cast<double>(interval.unmeasured.completed),
                       .length = length,
                       .time = seconds(interval.unmeasured_time)});
}

std::optional<stats::Steadiness> Settling::judge(std::size_t seconds_each) const {
  const std::size_t needed = stats::steady_parts * seconds_each;
  if (m_seconds.size() < needed) return std::nullopt;
  const auto window = std::span(m_seconds).last(needed);
  std::array<double, stats::steady_parts> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Second sum;
    for (const Second& second : window.subspan(i * seconds_each, seconds_each)) {
      sum.ops += second.ops;
      sum.length += second.length;
      sum.time += second.time;
    }
    if (sum.ops == 0) return std::nullopt;
    parts.at(i) = m_open_loop ? sum.time / sum.ops : sum.ops / sum.length;
  }
  return stats::steadiness(parts);
}

std::optional<stats::Steadiness> Settling::best() const {
  std::optional<stats::Steadiness> best;
  for (const std::size_t width : widths) {
    const auto found = judge(width);
    if (!found) continue;
    if (stats::is_steady(*found)) return found;
    if (!best || found->excursion < best->excursion) best = found;
  }
  return best;
}

bool Settling::steady() const {
  const auto found = best();
  return found && stats::is_steady(*found);
}

std::string Settling::trouble() const {
  const auto found = best();
  if (!found) return "operations did not finish in each second";
  if (stats::is_steady(*found)) return {};
  return fmt::format(
      "{} still varied by {:.0f} % (limit {:.0f} %) with a trend of {:.0f} % (limit "
      "{:.0f} %)",
      m_open_loop ? "response times" : "throughput", 100 * found->excursion,
      100 * stats::steady_excursion, 100 * found->slope, 100 * stats::steady_slope);
}

}  // namespace radosload::run
