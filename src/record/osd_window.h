// What an OSD counted over a part of the measured phase, and how much of it was the run's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "radosload/op.h"
#include "radosload/osd_counters.h"
#include "radosload/units.h"

#include "record/histogram.h"

namespace radosload::record {

struct OsdWindow {
  std::int32_t osd = no_osd;
  std::string kind = {};   // "plain", "wal", "db", "db+wal"; empty: unknown
  Time from{0};            // from the start of the measured phase
  Time to{0};              // of the last dump within it
  std::uint64_t ours = 0;  // operations of the run that the OSD answered from `from` to `to`
  OsdCounters growth = {};
  std::string missing = {};  // why there is no growth; empty: there is
  bool operator==(const OsdWindow&) const = default;
};

std::uint64_t ops_of(const LatencyBuckets& buckets);
// The bucket with the quantile of the operations (nearest rank); nothing with too few of them.
std::optional<LatencyBucket> bucket_at(const LatencyBuckets& buckets, Quantile quantile);

// The upper limit of that bucket in us; nothing where it has none either.
std::optional<double> limit_us(const LatencyBuckets& buckets, Quantile quantile);

// The run's share of the operations that the OSD led in the window: 0 to 1. Empty when it is
// unknown.
std::optional<double> share_ours(const OsdWindow& window);

}  // namespace radosload::record
