#include "workload/adaptive_depth.h"

#include <algorithm>
#include <cmath>

namespace radosload::workload {

AdaptiveDepth::AdaptiveDepth(std::uint32_t most, std::uint32_t first)
    : m_most(std::max(1U, most)), m_depth(std::clamp(first, 1U, m_most)) {}

void AdaptiveDepth::answered(Time took, std::uint32_t others) {
  if (m_outdated > 0) {
    --m_outdated;
    return;
  }
  ++m_answers;
  m_sum += took;
  m_used = m_used || others + 1 >= m_depth;
  const Time mean = std::max(Time(1), m_sum / m_answers);
  if (!round_is_over(mean)) return;
  learn_lowest(mean);
  const std::uint32_t next = next_depth(mean);
  if (next != m_depth) m_outdated = others;
  m_depth = next;
  m_answers = 0;
  m_sum = Time(0);
  m_used = false;
}

bool AdaptiveDepth::round_is_over(Time mean) const {
  if (m_answers < few) return false;
  if (m_answers >= m_depth) return true;
  return m_answers >= enough && mean >= 2 * allowed();
}

void AdaptiveDepth::learn_lowest(Time mean) {
  if (m_depth == 1 || m_lowest == Time(0)) {
    m_lowest = mean;
  } else if (mean < m_lowest) {
    m_lowest -= (m_lowest - mean) / 2;
  }
}

Time AdaptiveDepth::allowed() const {
  if (m_lowest == Time(0)) return too_long;
  const auto lowest = static_cast<double>(std::min(m_lowest, too_long).count());
  const Time tolerated(static_cast<std::int64_t>(tolerance * lowest));
  return std::clamp(tolerated, unnoticed, too_long);
}

std::uint32_t AdaptiveDepth::next_depth(Time mean) const {
  constexpr double most_change = 2;
  const double now = m_depth;
  const double ratio = static_cast<double>(allowed().count()) / static_cast<double>(mean.count());
  if (ratio > 1 && !m_used) return m_depth;
  double next = now * std::clamp(std::sqrt(ratio), 1 / most_change, most_change);
  // Small depths would be rounded to the same value, so they change by at least one.
  if (ratio > 1) {
    next = std::max(next, std::min(now + 1, now * ratio));
  } else {
    next = std::min(next, std::max(now - 1, now * ratio));
  }
  return static_cast<std::uint32_t>(std::clamp(std::round(next), 1.0, static_cast<double>(m_most)));
}

}  // namespace radosload::workload
