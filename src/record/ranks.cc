#include "record/ranks.h"

#include <algorithm>

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

namespace {

// The last bucket has all longer times, too: of one of them only a lower bound is known.
Ranked beyond_all_buckets(const Histogram& all) {
  constexpr std::uint64_t least = Histogram::lowest_in(Histogram::bucket_count - 1);
  return {.kind = Ranked::Kind::beyond, .ns = std::clamp(all.min(), least, Histogram::highest)};
}

bool is_beyond_all_buckets(std::size_t bucket, const Histogram& all) {
  return bucket == Histogram::bucket_count - 1 && all.max() > Histogram::highest;
}

}  // namespace

Ranked Ranks::value_at(Quantile quantile) const {
  if (count() == 0) return {};
  const std::uint64_t rank = nearest_rank(quantile, count());
  if (m_lost.empty()) {
    const std::size_t bucket = m_answered.bucket_of(rank);
    if (is_beyond_all_buckets(bucket, m_answered)) return beyond_all_buckets(m_answered);
    return {.kind = Ranked::Kind::exact,
            .ns = std::min(Histogram::highest_in(bucket), m_answered.max())};
  }
  // If each lost operation had been answered when it was given up, and if none ever had been.
  Histogram all = m_answered;
  all.merge(m_lost);
  const std::size_t low = all.bucket_of(rank);
  if (is_beyond_all_buckets(low, all)) return beyond_all_buckets(all);
  const bool exact = m_answered.bucket_of(rank) == low;
  return {.kind = exact ? Ranked::Kind::exact : Ranked::Kind::beyond,
          .ns = std::min(Histogram::highest_in(low), exact ? m_answered.max() : all.max())};
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
