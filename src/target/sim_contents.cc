#include "target/sim_contents.h"

#include <algorithm>
#include <cstring>

namespace radosload::target {

using workload::sector_bytes;
using workload::stamp_bytes;

SimContents::Stamps SimContents::stamps_of(std::span<const std::byte> written) {
  Stamps stamps(written.size() / sector_bytes);
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    std::memcpy(stamps[i].data(), written.data() + i * sector_bytes, stamp_bytes);
  }
  return stamps;
}

SimContents::Stamps SimContents::current(const Op& op, std::size_t sectors) const {
  const auto found = m_written.find({op.object, op.offset});
  if (found != m_written.end()) return found->second;
  std::vector<std::byte> filled(sectors * sector_bytes);
  m_filled.fill(op, filled);
  return stamps_of(filled);
}

// The first half of the sectors; if there is one sector, half of its stamp.
void SimContents::tear(const Op& op, const Stamps& stamps) {
  Stamps torn = current(op, stamps.size());
  if (stamps.size() == 1) {
    std::copy_n(stamps[0].begin(), stamp_bytes / 2, torn[0].begin());
  } else {
    std::copy_n(stamps.begin(), stamps.size() / 2, torn.begin());
  }
  m_written[{op.object, op.offset}] = torn;
}

void SimContents::write(const Op& op, const Stamps& stamps, double luck) {
  const std::lock_guard lock(m_mutex);
  const Place place{op.object, op.offset};
  const auto falls_to = [&luck](double probability) {
    luck -= probability;
    return luck < 0;
  };
  if (falls_to(m_model.lose)) return;
  if (falls_to(m_model.tear)) return tear(op, stamps);
  if (falls_to(m_model.misdirect)) {
    m_written[{op.object ^ 1U, op.offset}] = stamps;
    return;
  }
  if (falls_to(m_model.reorder) && m_held_back.try_emplace(place, stamps).second) return;
  m_written[place] = stamps;
  const auto older = m_held_back.find(place);
  if (older == m_held_back.end()) return;
  m_written[place] = std::move(older->second);
  m_held_back.erase(older);
}

void SimContents::read(const Op& op, std::span<std::byte> into) const {
  m_filled.fill(op, into);
  const std::lock_guard lock(m_mutex);
  const auto found = m_written.find({op.object, op.offset});
  if (found == m_written.end()) return;
  for (std::size_t i = 0; i < found->second.size(); ++i) {
    std::memcpy(into.data() + i * sector_bytes, found->second[i].data(), stamp_bytes);
  }
  // Other blocks have no generations, and what follows their stamps never changes.
  const bool whole = op.offset % sector_bytes == 0 && into.size() % sector_bytes == 0;
  if (whole) m_filled.fill_behind_stamps(op, into);
}

}  // namespace radosload::target
