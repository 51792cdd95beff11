#include "record/osd_window.h"

#include <algorithm>

namespace radosload::record {

std::uint64_t ops_of(const LatencyBuckets& buckets) {
  std::uint64_t ops = 0;
  for (const LatencyBucket& bucket : buckets) ops += bucket.ops;
  return ops;
}

std::optional<LatencyBucket> bucket_at(const LatencyBuckets& buckets, Quantile quantile) {
  const std::uint64_t all = ops_of(buckets);
  if (all < operations_needed(quantile)) return std::nullopt;
  const std::uint64_t rank = nearest_rank(quantile, all);
  std::uint64_t reached = 0;
  for (const LatencyBucket& bucket : buckets) {
    reached += bucket.ops;
    if (reached >= rank) return bucket;
  }
  return std::nullopt;
}

std::optional<double> limit_us(const LatencyBuckets& buckets, Quantile quantile) {
  constexpr double ns_in_us = 1000;
  const auto bucket = bucket_at(buckets, quantile);
  if (!bucket || bucket->below_ns == 0) return std::nullopt;
  return static_cast<double>(bucket->below_ns) / ns_in_us;
}

std::optional<double> share_ours(const OsdWindow& window) {
  const auto op = window.growth.counts.find("op");
  if (!window.missing.empty() || op == window.growth.counts.end()) return std::nullopt;
  if (window.ours == 0 || op->second == 0) return std::nullopt;
  // Between a count here and the one there some operations are answered; beyond that the two
  // contradict each other.
  constexpr double margin = 1.05;
  constexpr double few = 64;
  const auto ours = static_cast<double>(window.ours);
  const auto all = static_cast<double>(op->second);
  if (ours > all * margin + few) return std::nullopt;
  return std::min(1.0, ours / all);
}

}  // namespace radosload::record
