#include "stats/tail.h"

#include <algorithm>

namespace radosload::stats {

namespace {

// The p99 is the largest but so many.
std::uint64_t above_p99(std::uint64_t operations) {
  constexpr std::uint64_t percent = 100;
  return operations / percent;
}

}  // namespace

void Tail::sort() {
  std::sort(m_operations.begin(), m_operations.end(),
            [](const Operation& a, const Operation& b) { return a.latency > b.latency; });
}

std::optional<TailTime> Tail::p99() const {
  if (m_operations.size() < least_for_p99) return std::nullopt;
  const Operation& one = m_operations[above_p99(m_operations.size())];
  return TailTime{.time = one.latency, .beyond = one.lost};
}

std::optional<TailTime> Tail::p99_without(const std::vector<bool>& marked,
                                          std::uint64_t operations) const {
  if (operations < least_for_p99) return std::nullopt;
  std::uint64_t above = above_p99(operations);
  for (const Operation& one : m_operations) {
    if (marked[one.group]) continue;
    if (above == 0) return TailTime{.time = one.latency, .beyond = one.lost};
    --above;
  }
  return std::nullopt;
}

}  // namespace radosload::stats
