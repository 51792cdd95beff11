#include "record/interval.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace radosload::record {

namespace {
Interval merged(Interval sum, const Interval& other, std::uint64_t in_flight) {
  const Time end = std::max(sum.end(), other.end());
  sum.start = std::min(sum.start, other.start);
  sum.length = end - sum.start;
  sum.unmeasured_time += other.unmeasured_time;
  sum.measured += other.measured;
  sum.unmeasured += other.unmeasured;
  sum.carried += other.carried;
  sum.in_flight = in_flight;
  sum.last = std::max(sum.last, other.last);
  sum.lateness.merge(other.lateness);
  merge_cells(sum.kinds, other.kinds);
  merge_cells(sum.osds, other.osds);
  sum.reduced = sum.reduced || other.reduced;
  return sum;
}
}  // namespace

void Interval::absorb(const Recorder& counted) {
  measured += counted.flow(Phase::measure);
  unmeasured += counted.flow(Phase::warmup);
  unmeasured += counted.flow(Phase::drain);
  carried += counted.carried();
  unmeasured_time += counted.unmeasured_time();
  last = std::max(last, counted.last());
  lateness.merge(counted.lateness());
  for (const Cell& cell : counted.cells()) {
    if (cell.empty()) continue;
    cell_for(kinds, no_osd, cell.kind).merge(cell);
    if (cell.osd != no_osd) cell_for(osds, cell.osd, cell.kind).merge(cell);
  }
}

Interval merge_parallel(Interval one, const Interval& other) {
  const std::uint64_t in_flight = one.in_flight + other.in_flight;
  return merged(std::move(one), other, in_flight);
}

Interval merge_sequence(Interval one, const Interval& other) {
  const std::uint64_t in_flight = one.end() > other.end() ? one.in_flight : other.in_flight;
  return merged(std::move(one), other, in_flight);
}

void keep_worst(Interval& interval, std::size_t limit) {
  struct Badness {
    std::uint64_t failed = 0;
    std::uint64_t ops = 0;
    std::uint64_t response_ns = 0;
  };
  std::map<std::int32_t, Badness> by_osd;
  for (const Cell& cell : interval.osds) {
    Badness& badness = by_osd[cell.osd];
    badness.failed += cell.failed() + cell.cancelled;
    badness.ops += cell.ops();
    badness.response_ns += cell.latency.response().sum();
  }
  if (by_osd.size() <= limit) return;

  std::vector<std::pair<std::pair<std::uint64_t, double>, std::int32_t>> ranked;
  for (const auto& [osd, badness] : by_osd) {
    const double mean = badness.ops == 0 ? 0
                                         : static_cast<double>(badness.response_ns) /
                                               static_cast<double>(badness.ops);
    ranked.push_back({{badness.failed, mean}, osd});
  }
  std::sort(ranked.rbegin(), ranked.rend());
  std::set<std::int32_t> kept;
  for (std::size_t i = 0; i < limit; ++i) kept.insert(ranked[i].second);
  std::erase_if(interval.osds, [&](const Cell& cell) { return !kept.contains(cell.osd); });
  interval.reduced = true;
}

}  // namespace radosload::record
