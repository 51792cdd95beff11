#include <algorithm>
#include <cmath>
#include <utility>

#include "report/time_parts.h"
#include "report/time_unit.h"

#include <fmt/format.h>

namespace radosload::report {

using record::OsdWindow;
using record::RunRecord;

namespace {

// A replica does not count the time for which its process is stopped, and no counter has the
// network's time.
std::string uncounted_wait(const std::vector<TimeParts>& rows, double slowest) {
  constexpr double clearly = 1.5;
  for (const TimeParts& row : rows) {
    if (!row.replicas) continue;
    const double wait = *row.replicas + row.commit.value_or(0) + row.device.value_or(0);
    if (wait < clearly * slowest) continue;
    return fmt::format(
        "; a write waited {} for all of its OSDs: the rest is network, or a replica that stood "
        "still",
        human_text(Time(std::llround(wait))));
  }
  return {};
}

std::string slowest_replica(const std::vector<OsdWindow>& windows,
                            const std::vector<TimeParts>& rows) {
  const OsdWindow* slowest = nullptr;
  std::size_t replicas = 0;
  for (const OsdWindow& window : windows) {
    const std::optional<double> mean = mean_ns(window, "subop_w_latency");
    if (!mean) continue;
    ++replicas;
    if (slowest == nullptr || *mean > *mean_ns(*slowest, "subop_w_latency")) slowest = &window;
  }
  if (replicas < 2) return {};
  const double mean = *mean_ns(*slowest, "subop_w_latency");
  return fmt::format("osd.{}, {} for a write as replica{}", slowest->osd,
                     human_text(Time(std::llround(mean))), uncounted_wait(rows, mean));
}

std::vector<double> values_of(const TimeParts& row) {
  return {row.total,
          row.client,
          row.network,
          row.queue,
          row.execution,
          row.replicas.value_or(0),
          row.commit.value_or(0),
          row.device.value_or(0)};
}

Sheet parts_sheet(const std::vector<TimeParts>& rows) {
  std::vector<double> all;
  for (const TimeParts& row : rows) {
    const auto values = values_of(row);
    all.insert(all.end(), values.begin(), values.end());
  }
  const TimeUnit unit = unit_of(all);
  Table table({{"", Align::left},
               {"total"},
               {"client"},
               {"network"},
               {"queue"},
               {"execution"},
               {"replicas"},
               {"commit"},
               {"device"}});
  for (const TimeParts& row : rows) {
    const auto known = [&](std::optional<double> value) {
      return value ? in_unit(*value, unit) : "-";
    };
    table.add({std::string(row.kind), known(row.total), known(row.client), known(row.network),
               known(row.queue), known(row.execution), known(row.replicas), known(row.commit),
               known(row.device)});
  }
  Sheet sheet = {{.title = fmt::format("Where the time went, means in {}", unit.name),
                  .table = std::move(table)}};
  for (const TimeParts& row : rows) {
    if (!row.unknown) continue;
    sheet.push_back({.title = "unknown",
                     .text = fmt::format("{} {} of a {}: an erasure-coded pool's OSDs do not count "
                                         "how long each shard took",
                                         in_unit(*row.unknown, unit), unit.name, row.kind)});
  }
  return sheet;
}

}  // namespace

std::string share_of_ops_text(std::optional<double> share) {
  if (!share) return "-";
  return fmt::format("{:.0f} %", *share < 1 ? std::min(99.0, std::floor(100 * *share)) : 100);
}

Sheet time_parts_sheet(const std::vector<OsdWindow>& windows, const RunRecord& run) {
  // Operations that the client's cache answers do not reach the OSDs.
  if (run.header.plan.images.cache) return {};
  const std::optional<double> share = share_of_run(windows);
  if (!share) return {};
  if (*share < share_enough) {
    return {{.title = "not shown",
             .text = fmt::format("where the time went: {} of the operations on these OSDs were of "
                                 "this run, at least {:.0f} % are needed",
                                 share_of_ops_text(share), 100 * share_enough)}};
  }
  const auto rows = time_parts(windows, run);
  if (rows.empty()) return {};
  const bool replicas = std::any_of(rows.begin(), rows.end(),
                                    [](const TimeParts& row) { return row.replicas.has_value(); });
  Sheet sheet = parts_sheet(rows);
  const std::string slowest = replicas ? slowest_replica(windows, rows) : "";
  if (!slowest.empty()) sheet.push_back({.title = "slowest", .text = slowest});
  return sheet;
}

}  // namespace radosload::report
