#include "workload/arrival.h"

#include <cassert>
#include <cmath>

namespace radosload::workload {

namespace {

constexpr double rate_unit = 1e6;  // rates are kept in millionths of an operation a second
constexpr std::uint64_t second_units = 1'000'000'000'000'000;  // ns of a second x rate_unit

}  // namespace

Schedule::Schedule(const Arrival& arrival, std::uint64_t seed, std::uint32_t lane,
                   std::uint32_t lanes)
    : m_law(arrival.law), m_gaps(seed, "arrivals", lane) {
  if (closed()) return;
  if (m_law == Arrival::Law::poisson) {
    m_mean_gap = 1e9 * static_cast<double>(lanes) / arrival.ops_per_second;
    return;
  }
  assert(lane < lanes && lanes <= plan::max_lanes);
  // In units of 1 / m_whole ns: operation k of the run is due at k x second_units. All lanes at
  // their highest rate fit 64 bits, but not 63.
  m_whole = static_cast<std::uint64_t>(std::round(arrival.ops_per_second * rate_unit));
  m_step = second_units * lanes / m_whole;
  m_step_part = second_units * lanes % m_whole;
  m_due = second_units * lane / m_whole;
  m_part = second_units * lane % m_whole;
}

Time Schedule::next() noexcept {
  if (m_law == Arrival::Law::constant) {
    const Time due{static_cast<std::int64_t>(m_due)};
    m_due += m_step;
    // Before adding: the sum of two parts may exceed 64 bits.
    const std::uint64_t to_next = m_whole - m_step_part;
    if (m_part >= to_next) {
      m_part -= to_next;
      ++m_due;
    } else {
      m_part += m_step_part;
    }
    return due;
  }
  if (m_law == Arrival::Law::poisson) {
    // Gaps are exponential: the inverse of their distribution function at a uniform draw.
    m_fraction -= m_mean_gap * std::log(m_gaps.positive_unit());
    const double whole = std::floor(m_fraction);
    m_due += static_cast<std::uint64_t>(whole);
    m_fraction -= whole;
    return Time{static_cast<std::int64_t>(m_due)};
  }
  return Time{0};
}

}  // namespace radosload::workload
