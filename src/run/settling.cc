#include "run/settling.h"

#include <algorithm>
#include <array>
#include <cmath>
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
    const Second sum = sum_of(window.subspan(i * seconds_each, seconds_each));
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

Settling::Second Settling::sum_of(std::span<const Second> seconds) {
  Second sum;
  for (const Second& second : seconds) {
    sum.ops += second.ops;
    sum.length += second.length;
    sum.time += second.time;
  }
  return sum;
}

double Settling::growth() const {
  constexpr std::size_t least = 2;  // seconds of a quarter
  // A growing queue takes 1.4 times as long from quarter to quarter.
  constexpr double allowed = 0.15;
  const std::size_t quarter = m_seconds.size() / 4;
  if (!m_open_loop || quarter < least) return 0;
  const auto last = std::span(m_seconds).last(2 * quarter);
  const Second before = sum_of(last.first(quarter));
  const Second now = sum_of(last.last(quarter));
  if (before.time == 0 || now.ops == 0) return 0;
  const double more = now.time / now.ops / (before.time / before.ops) - 1;
  // Of times that are spread like an exponential distribution.
  const double chance = std::sqrt(2 / now.ops);
  return more > allowed + chance ? more : 0;
}

bool Settling::steady() const {
  const auto found = best();
  return found && stats::is_steady(*found) && growth() == 0;
}

std::string Settling::trouble() const {
  const auto found = best();
  if (!found) return "operations did not finish in each second";
  if (const double more = growth(); more > 0) {
    return fmt::format(
        "response times were {:.0f} % longer in its last quarter than in the one before: "
        "operations come faster than they are answered",
        100 * more);
  }
  if (stats::is_steady(*found)) return {};
  return fmt::format(
      "{} still varied by {:.0f} % (limit {:.0f} %) with a trend of {:.0f} % (limit "
      "{:.0f} %)",
      m_open_loop ? "response times" : "throughput", 100 * found->excursion,
      100 * stats::steady_excursion, 100 * found->slope, 100 * stats::steady_slope);
}

}  // namespace radosload::run
