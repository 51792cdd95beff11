// What an OSD counts of its own work: since it started, or the growth between two dumps. The names
// are those of radosload and the same for every release of Ceph (observe/counter_names.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace radosload {

// How often something happened and how long that took in total: the mean of an interval is the
// quotient of two growths. Ceph's own `avgtime` is the mean since the OSD started.
struct TimedCount {
  std::uint64_t count = 0;
  double seconds = 0;
  bool operator==(const TimedCount&) const = default;
};

// Operations whose latency in the OSD was in one bucket of its histogram. A bucket's limit is twice
// its beginning.
struct LatencyBucket {
  std::uint64_t from_ns = 0;
  std::uint64_t below_ns = 0;  // 0: no limit
  std::uint64_t ops = 0;
  bool operator==(const LatencyBucket&) const = default;
};
using LatencyBuckets = std::vector<LatencyBucket>;  // ascending; only those with operations

struct OsdCounters {
  std::map<std::string, TimedCount, std::less<>> times;      // only grow
  std::map<std::string, std::uint64_t, std::less<>> counts;  // only grow
  std::map<std::string, std::uint64_t, std::less<>> levels;  // as they are at the moment
  // "read", "write"; only grow. Nothing of what the OSD does not tell.
  std::map<std::string, LatencyBuckets, std::less<>> latencies = {};
  bool operator==(const OsdCounters&) const = default;
};

}  // namespace radosload
