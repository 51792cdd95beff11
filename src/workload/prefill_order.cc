#include "workload/prefill_order.h"

#include <algorithm>
#include <utility>

namespace radosload::workload {

PrefillOrder::PrefillOrder(std::shared_ptr<const ObjectPlacement> locations, std::uint64_t begin,
                           std::uint64_t end)
    : m_locations(std::move(locations)), m_next(begin), m_end(end) {
  m_choice.reserve(most_choice);
  while (m_next < m_end && m_choice.size() < most_choice) m_choice.push_back(m_next++);
  if (m_locations) m_writes.resize(m_locations->osd_limit());
}

PrefillOrder::Load PrefillOrder::load_of(std::uint64_t place) const noexcept {
  std::uint32_t most = 0;
  std::uint32_t sum = 0;
  for (const std::int32_t osd : m_locations->members_of(m_locations->pgs()[place])) {
    const std::uint32_t writes = m_writes[static_cast<std::size_t>(osd)];
    most = std::max(most, writes);
    sum += writes;
  }
  return {most, sum};
}

std::uint64_t PrefillOrder::take() noexcept {
  auto chosen = m_choice.begin();
  if (m_locations) {
    Load least = load_of(*chosen);
    for (auto other = chosen + 1; other != m_choice.end(); ++other) {
      const Load load = load_of(*other);
      if (load >= least) continue;
      least = load;
      chosen = other;
    }
  }
  const std::uint64_t place = *chosen;
  m_choice.erase(chosen);
  if (m_next < m_end) m_choice.push_back(m_next++);
  return place;
}

void PrefillOrder::sent(std::uint32_t pg) noexcept {
  if (!m_locations) return;
  for (const std::int32_t osd : m_locations->members_of(pg)) {
    ++m_writes[static_cast<std::size_t>(osd)];
  }
}

void PrefillOrder::ended(std::uint32_t pg) noexcept {
  if (!m_locations) return;
  for (const std::int32_t osd : m_locations->members_of(pg)) {
    --m_writes[static_cast<std::size_t>(osd)];
  }
}

}  // namespace radosload::workload
