#include "record/ranks.h"

#include <algorithm>
#include <map>

#include "radosload/units.h"

namespace radosload::record {

namespace {

constexpr std::size_t none = Histogram::bucket_count;

}  // namespace

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
  const std::uint64_t rank = nearest_rank(quantile, count());
  // If each lost operation had been answered when it was given up, and if none ever had been.
  const std::size_t low = bucket_of(rank, &m_lost);
  const std::size_t high = rank <= m_answered.count() ? bucket_of(rank, nullptr) : none;
  const bool exact = low == high;
  const std::uint64_t most = exact ? m_answered.max() : std::max(m_answered.max(), m_lost.max());
  return {.kind = exact ? Ranked::Kind::exact : Ranked::Kind::beyond,
          .ns = std::min(Histogram::highest_in(low), most)};
}

// The bucket of the operation of that rank among those that were answered and, if asked for, lost.
std::size_t Ranks::bucket_of(std::uint64_t rank, const Histogram* lost) const {
  std::map<std::size_t, std::uint64_t> counts;
  const auto add = [&counts](std::size_t index, std::uint64_t n) { counts[index] += n; };
  m_answered.for_each(add);
  if (lost != nullptr) lost->for_each(add);
  for (const auto& [index, n] : counts) {
    if (n >= rank) return index;
    rank -= n;
  }
  return none;
}

Ranked Ranks::max() const {
  if (count() == 0) return {};
  return {.kind = m_lost.empty() ? Ranked::Kind::exact : Ranked::Kind::beyond,
          .ns = std::max(m_answered.max(), m_lost.max())};
}

Mean mean_of(const Cell& cell) {
  const Histogram& answered = cell.latency.response();
  const Histogram& lost = cell.lost.response;
  const std::uint64_t count = answered.count() + lost.count();
  if (count == 0) return {};
  const double sum = static_cast<double>(answered.sum()) + static_cast<double>(lost.sum());
  return {.ns = sum / static_cast<double>(count), .at_least = !lost.empty()};
}

}  // namespace radosload::record
