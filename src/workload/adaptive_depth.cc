#include "workload/adaptive_depth.h"

#include <algorithm>
#include <cmath>

namespace radosload::workload {

AdaptiveDepth::AdaptiveDepth(std::uint32_t most)
    : m_most(std::max(1U, most)), m_depth(std::min(2U, m_most)) {}

void AdaptiveDepth::answered(Time took, std::uint32_t others) {
  if (m_outdated > 0) {
    --m_outdated;
    return;
  }
  m_sum += took;
  m_used = m_used || others + 1 >= m_depth;
  if (++m_answers < std::max(few, m_depth)) return;
  const Time mean = std::max(Time(1), m_sum / m_answers);
  m_lowest = m_depth == 1 ? mean : std::min(m_lowest, mean);
  const std::uint32_t next = next_depth(mean);
  if (next != m_depth) m_outdated = others;
  m_depth = next;
  m_answers = 0;
  m_sum = Time(0);
  m_used = false;
}

Time AdaptiveDepth::allowed() const {
  const Time tolerated(
      static_cast<std::int64_t>(tolerance * static_cast<double>(m_lowest.count())));
  return std::clamp(tolerated, unnoticed, too_long);
}

std::uint32_t AdaptiveDepth::next_depth(Time mean) const {
  constexpr double most_change = 2;
  const double ratio = static_cast<double>(allowed().count()) / static_cast<double>(mean.count());
  if (ratio > 1 && !m_used) return m_depth;
  const double wanted = std::round(m_depth * std::clamp(ratio, 1 / most_change, most_change));
  return static_cast<std::uint32_t>(std::clamp(wanted, 1.0, static_cast<double>(m_most)));
}

}  // namespace radosload::workload
