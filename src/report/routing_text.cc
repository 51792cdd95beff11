#include "report/routing_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/layout.h"
#include "report/osd_figures_text.h"

#include <fmt/format.h>

namespace radosload::report {

using record::OsdRoute;
using record::Routing;
using record::RunRecord;

namespace {

bool counted_by_osds(const Routing& routing) {
  return std::any_of(routing.osds.begin(), routing.osds.end(),
                     [](const OsdRoute& route) { return route.served.has_value(); });
}

// 99.99 % is not rounded up to 100 %.
std::string percent_text(double share) {
  const double shown = share < 1 ? std::min(99.9, 100 * share) : 100;
  return shown == 100 ? "100 %" : fmt::format("{:.1f} %", shown);
}

std::vector<std::string> row_of(const OsdRoute& route, bool counted) {
  std::vector<std::string> row = {
      fmt::format("osd.{}", route.osd), grouped(route.sent),
      route.sampled == 0 ? "-"
                         : fmt::format("{} of {}", grouped(route.there), grouped(route.sampled))};
  if (!counted) return row;
  const auto ours = record::share_ours(route);
  if (!route.served) {
    row.insert(row.end(), {"-", "-", "-", "-"});
    return row;
  }
  const std::uint64_t op = route.served->op;
  row.push_back("+" + grouped(op));
  row.push_back(grouped(op - std::min(op, route.answered)));
  row.push_back(ours ? percent_text(*ours) : "-");
  row.push_back("+" + grouped(route.served->subop_w));
  return row;
}

std::string seen_text(const Routing& routing) {
  if (!routing.unsampled.empty()) {
    return "not verified: " + routing.unsampled;
  }
  const std::uint64_t sampled = record::sampled(routing);
  const std::uint64_t strays = record::strayed(routing);
  std::string text;
  if (strays > 0) {
    text = fmt::format("NOT verified: {} of {} sent to another OSD", grouped(strays),
                       counted(sampled, "sampled operation"));
  } else if (sampled > 0) {
    text =
        fmt::format("verified: {} of {}", grouped(sampled), counted(sampled, "sampled operation"));
  }
  if (routing.remapped > 0) {
    text += fmt::format("{}{} followed a PG that had moved", text.empty() ? "" : "; ",
                        grouped(routing.remapped));
  }
  return text;
}

}  // namespace

std::string routing_text(const RunRecord& record) {
  if (!record.routing) return {};
  const Routing& routing = *record.routing;
  // A pinned run explains why no operation was sampled; other runs do not sample.
  std::string text = routing.unsampled.empty() || pinned(record) ? seen_text(routing) : "";
  if (!routing.uncounted.empty()) {
    text += fmt::format("{}OSD counters missing: {}", text.empty() ? "" : "; ", routing.uncounted);
  }
  return text;
}

std::string routing_table(const RunRecord& record) {
  if (!record.routing || record.routing->osds.empty()) return {};
  const bool counted = counted_by_osds(*record.routing);
  if (!counted && !pinned(record)) return {};
  std::vector<Table::Column> columns = {{"routing", Align::left}, {"sent"}, {"sampled"}};
  if (counted) {
    columns.insert(columns.end(), {{"OSD counter"}, {"others"}, {"ours"}, {"as replica"}});
  }
  Table table(columns);
  for (const OsdRoute& route : record.routing->osds) table.add(row_of(route, counted));
  return table.text(indent);
}

}  // namespace radosload::report
