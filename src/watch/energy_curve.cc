#include "watch/energy_curve.h"

#include <algorithm>
#include <cmath>

namespace radosload::watch {

namespace {

// The power between two readings further apart is not known.
constexpr Time longest_between_powers = std::chrono::seconds(10);
// A counter that is not read for longer may have begun again more than once.
constexpr Time longest_between_counts = std::chrono::seconds(60);
// No single source delivers more: a counter with a larger growth was set to another value.
constexpr double most_watts = 10'000;
// Counters advance in steps, so that two readings that follow at once may differ by one.
constexpr double step_s = 1;
// A run of days has as many seconds; older points are then merged in pairs.
constexpr std::size_t most_points = 20'000;

// 0.1 for 87.3 W. A meter that reads 80 W may well have digits behind the point, but shows none.
double last_digit_of(double watts) {
  constexpr double micro = 1e-6;
  constexpr std::int64_t whole = 1'000'000;
  const std::int64_t microwatts = std::llround(watts / micro);
  std::int64_t digit = whole;
  while (microwatts % digit != 0) digit /= 10;
  return static_cast<double>(digit) * micro;
}

}  // namespace

std::optional<double> joules_between(std::uint64_t before, std::uint64_t after,
                                     std::uint64_t range) {
  constexpr double micro = 1e-6;
  if (after >= before) return static_cast<double>(after - before) * micro;
  if (before > range) return std::nullopt;
  return static_cast<double>(range - before + after) * micro;
}

double EnergyCurve::Part::watts() const {
  return known > Time(0) ? joules / seconds(known) : 0;
}

void EnergyCurve::add_counter(Time at, std::uint64_t microjoules, std::uint64_t range) {
  Point point{.at = at};
  if (!m_points.empty()) {
    const Point& last = m_points.back();
    const Time passed = at - last.at;
    const auto joules = joules_between(m_counter, microjoules, range);
    point.joined = joules && passed <= longest_between_counts &&
                   *joules <= most_watts * (seconds(passed) + step_s);
    point.joules = last.joules + (point.joined ? *joules : 0);
  }
  m_counter = microjoules;
  add(point);
}

void EnergyCurve::add_power(Time at, double watts) {
  const double resolution = last_digit_of(watts);
  m_resolution_w = m_points.empty() ? resolution : std::min(m_resolution_w, resolution);
  Point point{.at = at};
  if (!m_points.empty()) {
    const Point& last = m_points.back();
    const Time passed = at - last.at;
    point.joined = !m_missed && passed <= longest_between_powers;
    point.joules = last.joules + (point.joined ? (m_watts + watts) / 2 * seconds(passed) : 0);
  }
  m_watts = watts;
  m_missed = false;
  add(point);
}

void EnergyCurve::hold(Time until) {
  if (m_missed || m_points.empty() || until <= m_points.back().at) return;
  if (until - m_points.back().at <= longest_between_powers) add_power(until, m_watts);
}

void EnergyCurve::add(const Point& point) {
  m_points.push_back(point);
  if (m_points.size() > most_points) thin_out();
}

void EnergyCurve::thin_out() {
  std::vector<Point> kept;
  kept.reserve(m_points.size() / 2 + 1);
  for (std::size_t i = 0; i < m_points.size(); ++i) {
    const bool inner = i > 0 && i + 1 < m_points.size();
    const bool spare = inner && i % 2 == 1 && m_points[i].joined && m_points[i + 1].joined;
    if (!spare) kept.push_back(m_points[i]);
  }
  m_points = std::move(kept);
}

std::optional<Time> EnergyCurve::last() const {
  if (m_points.empty()) return std::nullopt;
  return m_points.back().at;
}

EnergyCurve::Part EnergyCurve::between(Time from, Time to) const {
  Part part;
  auto point = std::upper_bound(m_points.begin(), m_points.end(), from,
                                [](Time at, const Point& one) { return at < one.at; });
  if (point == m_points.begin() && point != m_points.end()) ++point;
  for (; point != m_points.end(); ++point) {
    const Point& before = *std::prev(point);
    if (before.at >= to) break;
    if (!point->joined || point->at <= before.at) continue;
    const Time shared = std::min(to, point->at) - std::max(from, before.at);
    part.known += shared;
    part.joules +=
        (point->joules - before.joules) * (seconds(shared) / seconds(point->at - before.at));
  }
  return part;
}

std::optional<Time> EnergyCurve::first_unknown(Time from, Time to) const {
  Time known_until = from;
  for (std::size_t i = 1; i < m_points.size() && known_until < to; ++i) {
    const Point& point = m_points[i];
    if (point.at <= known_until) continue;
    if (!point.joined || m_points[i - 1].at > known_until) break;
    known_until = point.at;
  }
  if (known_until >= to) return std::nullopt;
  return known_until;
}

}  // namespace radosload::watch
