#include "report/osd_figures_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "report/time_unit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::report {

using record::Cell;
using record::RunRecord;

namespace {

// An OSD is named when its mean is at least this multiple of the median OSD's. Drives of one model
// in the same cluster differ by a quarter.
constexpr double stands_out = 1.5;
// With at least this multiple of its even share of the load, an OSD may be slow because it is busy.
constexpr double busier = 1.2;
constexpr std::uint64_t enough_operations = 100;
constexpr std::size_t enough_osds = 3;

std::string ns_text(double ns) {
  return human_text(Time(std::llround(ns)));
}

std::vector<std::string> row_of(const RunRecord& record, const Cell& cell,
                                const LatencyCells& latency, TimeUnit unit) {
  std::vector<std::string> cells = {fmt::format("osd.{}", cell.osd),
                                    std::string(op_kind_name(cell.kind)), grouped(cell.ops()),
                                    rate_text(record::iops(record, cell))};
  latency.add_to(cells, unit);
  cells.push_back(grouped(cell.failed() + cell.cancelled));
  return cells;
}

struct Candidate {
  const Cell* cell = nullptr;
  double mean = 0;
};

// The OSDs with enough operations of one kind, the fastest first.
std::vector<Candidate> by_mean(const RunRecord& record, OpKind kind) {
  std::vector<Candidate> found;
  for (const Cell& cell : record.osds) {
    if (cell.kind != kind || cell.osd == no_osd || cell.ops() < enough_operations) continue;
    found.push_back({&cell, cell.latency.service().mean()});
  }
  std::sort(found.begin(), found.end(),
            [](const Candidate& a, const Candidate& b) { return a.mean < b.mean; });
  return found;
}

std::optional<std::string> slowest_of(const RunRecord& record, const Cell& total) {
  const OpKind kind = total.kind;
  const auto osds = by_mean(record, kind);
  if (osds.size() < enough_osds) return std::nullopt;
  const Candidate& slowest = osds.back();
  const double middle = osds[osds.size() / 2].mean;
  // With three OSDs the median is the second, so a single slow OSD cannot be the median.
  if (middle <= 0 || slowest.mean < stands_out * middle) return std::nullopt;
  const double share = static_cast<double>(slowest.cell->ops()) / static_cast<double>(total.ops());
  const bool busy = !pinned(record) && share * static_cast<double>(osds.size()) > busier;
  return fmt::format(
      "osd.{0}: mean {1} {2}; median OSD {3} ({4} OSDs); osd.{0} serves {5:.0f} % of {1}s{6}",
      slowest.cell->osd, op_kind_name(kind), ns_text(slowest.mean), ns_text(middle), osds.size(),
      100 * share,
      busy ? ", which may be why it is slow: --osd gives each OSD a load of its own" : "");
}

}  // namespace

bool pinned(const RunRecord& record) {
  return record.header.plan.pins.any();
}

std::string pins_text(const RunRecord& record) {
  if (!pinned(record)) return {};
  const PinPlan& pins = record.header.plan.pins;
  return fmt::format("OSDs {} {}, each with its own load", pins.osds,
                     pins.mode == PinMode::all ? "as whole acting sets" : "as primaries");
}

Sheet osds_sheet(const RunRecord& record) {
  Table table({{"OSD", Align::left},
               {"", Align::left},
               {"ops"},
               {"IOPS"},
               {"mean"},
               {"p50"},
               {"p99"},
               {"max"},
               {"failed"}});
  std::vector<LatencyCells> latencies;
  for (const Cell& cell : record.osds) {
    latencies.emplace_back(cell, LatencyCells::Of::response,
                           std::vector<record::Quantile>{record::p50, record::p99});
  }
  const TimeUnit unit = unit_of(latencies);
  bool any = false;
  for (std::size_t i = 0; i < record.osds.size(); ++i) {
    const Cell& cell = record.osds[i];
    if (cell.osd == no_osd) continue;
    table.add(row_of(record, cell, latencies[i], unit));
    any = true;
  }
  if (!any) return {};
  return {{.title = fmt::format("Each OSD, latency in {}", unit.name), .table = std::move(table)}};
}

std::string osds_table(const RunRecord& record) {
  std::string text;
  for (const SheetPart& part : osds_sheet(record)) {
    text += fmt::format("  {}:\n{}", part.title, part.table->text(indent));
  }
  return text;
}

std::string slowest_text(const RunRecord& record) {
  std::vector<std::string> texts;
  for (const Cell& total : record.kinds) {
    if (const auto text = slowest_of(record, total)) texts.push_back(*text);
  }
  return joined(texts, "; ");
}

std::string acting_text(const RunRecord& record) {
  if (!pinned(record)) return {};
  constexpr std::size_t most = 4;
  std::vector<std::string> texts;
  for (const record::OsdFacts& osd : record.header.environment.osds) {
    std::vector<std::string> sets = osd.acting;
    if (sets.size() > most) {
      sets.resize(most);
      sets.push_back(fmt::format("{} more", osd.acting.size() - most));
    }
    texts.push_back(
        fmt::format("osd.{}: {} on {}", osd.id, counted(osd.pgs, "PG"), joined(sets, " and ")));
  }
  return joined(texts, "; ");
}

std::string led_text(const RunRecord& record) {
  const bool writes = std::any_of(record.kinds.begin(), record.kinds.end(), [](const Cell& cell) {
    return cell.kind == OpKind::write || cell.kind == OpKind::omap_set ||
           cell.kind == OpKind::create || cell.kind == OpKind::remove;
  });
  const record::Environment& environment = record.header.environment;
  const auto& pool = environment.data_pool ? environment.data_pool : environment.pool;
  const std::uint32_t size = pool ? pool->size : 1;
  if (!pinned(record) || !writes || size <= 1) return {};
  const bool alone = record.header.plan.pins.mode == PinMode::all;
  return fmt::format(
      "a write waits for all {} OSDs of its set: its latency is that of the slowest{}", size,
      alone ? "" : "; only read latency is the pinned OSD's own");
}

}  // namespace radosload::report
