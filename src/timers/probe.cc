#include "timers/probe.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace radosload::timers {

namespace {

// As for the percentiles of a run: with fewer, the second largest would not be above it with some
// certainty.
constexpr std::size_t p99_needs = 368;

// Of an ascending list that is not empty, by nearest rank.
Time at_share(const std::vector<Time>& ascending, double share) {
  const double rank = std::ceil(share * static_cast<double>(ascending.size()));
  return ascending[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

}  // namespace

ProbeTimes probe_times(std::vector<Time> answered, std::uint64_t failed) {
  constexpr double middle = 0.5;
  constexpr double nearly_all = 0.99;
  ProbeTimes times{.reads = answered.size(), .failed = failed};
  if (answered.empty()) return times;
  std::sort(answered.begin(), answered.end());
  const Time sum = std::accumulate(answered.begin(), answered.end(), Time(0));
  times.mean = sum / static_cast<Time::rep>(answered.size());
  times.median = at_share(answered, middle);
  if (answered.size() >= p99_needs) times.p99 = at_share(answered, nearly_all);
  times.longest = answered.back();
  return times;
}

}  // namespace radosload::timers
