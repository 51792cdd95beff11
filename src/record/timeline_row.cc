#include "record/timeline_row.h"

#include <cmath>
#include <optional>

#include "record/ranks.h"
#include "record/run_record.h"

namespace radosload::record {

namespace {

Time nanoseconds(std::uint64_t ns) {
  return Time(static_cast<Time::rep>(ns));
}

std::optional<Time> nanoseconds(std::optional<std::uint64_t> ns) {
  if (!ns) return std::nullopt;
  return nanoseconds(*ns);
}

}  // namespace

Figures figures_of(const Cell& cell) {
  const Histogram& response = cell.latency.response();
  return {.ops = cell.finished.ops + cell.drained.ops,
          .bytes = cell.finished.bytes + cell.drained.bytes,
          .timed = cell.ops(),
          .errors = cell.errors,
          .mean = Time(std::llround(response.mean())),
          .mean_service = Time(std::llround(cell.latency.service().mean())),
          .max = nanoseconds(response.max()),
          .p50 = nanoseconds(response_ranks(cell).percentile(p50).exact()),
          .p99 = nanoseconds(response_ranks(cell).percentile(p99).exact())};
}

TimelineRow row_of(const Interval& interval) {
  const Cell total = total_of(interval.kinds);
  const Histogram& service = total.latency.service();
  TimelineRow row{.start = interval.start,
                  .length = interval.length,
                  .flow = interval.measured,
                  .in_flight = interval.in_flight,
                  .late = total.late,
                  .last_service = interval.last.service,
                  .mean_service = Time(std::llround(service.mean())),
                  .min_service = nanoseconds(service.min()),
                  .max_service = nanoseconds(service.max()),
                  .all = figures_of(total),
                  .kinds = {},
                  .osds = {}};
  for (const Cell& cell : interval.kinds) row.kinds[cell.kind] = figures_of(cell);
  std::map<std::int32_t, Cell> osds;
  for (const Cell& cell : interval.osds) {
    if (cell.kind != OpKind::sync) osds[cell.osd].merge(cell);
  }
  for (const auto& [osd, cell] : osds) row.osds.set(osd, figures_of(cell));
  row.osds.shrink_to_fit();
  return row;
}

}  // namespace radosload::record
