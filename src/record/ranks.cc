#include "record/ranks.h"

#include <algorithm>
#include <map>

#include "radosload/units.h"

namespace radosload::record {

std::string ranked_text(const Ranked& ranked) {
  std::string time = human_text(Time(static_cast<Time::rep>(ranked.ns)));
  switch (ranked.kind) {
    case Ranked::Kind::exact:
      return time;
    case Ranked::Kind::beyond:
      return "> " + time;
    case Ranked::Kind::unknown:
      break;
  }
  return "-";
}

Ranked Ranks::percentile(Quantile quantile) const {
  return count() < operations_needed(quantile) ? Ranked{} : value_at(quantile);
}

Ranked Ranks::value_at(Quantile quantile) const {
  if (count() == 0) return {};
  if (m_lost.empty()) return {.kind = Ranked::Kind::exact, .ns = m_answered.value_at(quantile)};
  std::map<std::size_t, std::uint64_t> lost;
  m_lost.for_each([&](std::size_t index, std::uint64_t n) { lost[index] = n; });
  auto next = lost.begin();
  const std::uint64_t rank = nearest_rank(quantile, count());
  std::uint64_t seen = 0;
  Ranked found;
  const auto pass = [&](std::size_t index, std::uint64_t n, Ranked::Kind kind, std::uint64_t most) {
    seen += n;
    if (found.kind != Ranked::Kind::unknown || seen < rank) return;
    found = {.kind = kind, .ns = std::min(Histogram::highest_in(index), most)};
  };
  const auto pass_lost_below = [&](std::size_t end) {
    for (; next != lost.end() && next->first < end; ++next) {
      pass(next->first, next->second, Ranked::Kind::beyond, m_lost.max());
    }
  };
  m_answered.for_each([&](std::size_t index, std::uint64_t n) {
    pass_lost_below(index);
    pass(index, n, Ranked::Kind::exact, m_answered.max());
  });
  pass_lost_below(Histogram::bucket_count);
  return found;
}

Ranked Ranks::max() const {
  if (count() == 0) return {};
  const bool lost = !m_lost.empty() && (m_answered.empty() || m_lost.max() > m_answered.max());
  return {.kind = lost ? Ranked::Kind::beyond : Ranked::Kind::exact,
          .ns = lost ? m_lost.max() : m_answered.max()};
}

}  // namespace radosload::record
