#include "report/osds_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "report/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::report {

using record::Cell;
using record::Histogram;
using record::RunRecord;

namespace {

// An OSD is worth a line when its mean is so many times that of the OSD in the middle. Drives of
// one model differ by a quarter in the same cluster; what somebody should look at differs by more.
constexpr double stands_out = 1.5;
// Slots of a shared load wait where most of it goes, however fast that OSD is: with so many times
// its even share, that is said as well.
constexpr double busier = 1.2;
constexpr std::uint64_t enough_operations = 100;
constexpr std::size_t enough_osds = 3;

std::string ns_text(double ns) {
  return human_text(Time(std::llround(ns)));
}

std::vector<std::string> row_of(const RunRecord& record, const Cell& cell) {
  const Histogram& latency = cell.latency.response();
  const record::Ranks ranks = record::response_ranks(cell);
  return {fmt::format("osd.{}", cell.osd),
          std::string(op_kind_name(cell.kind)),
          grouped(cell.ops()),
          rate_text(record::iops(record, cell)),
          latency.empty() ? "-" : ns_text(latency.mean()),
          ranked_text(ranks.percentile(record::p50)),
          ranked_text(ranks.percentile(record::p99)),
          ranked_text(ranks.max()),
          grouped(cell.failed() + cell.cancelled)};
}

struct Candidate {
  const Cell* cell = nullptr;
  double mean = 0;
};

// The OSDs that one kind of operation has been seen on often enough, the fastest first.
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
  // The middle must not be slow itself: of three, the second.
  if (middle <= 0 || slowest.mean < stands_out * middle) return std::nullopt;
  const double share = static_cast<double>(slowest.cell->ops()) / static_cast<double>(total.ops());
  const bool busy = !pinned(record) && share * static_cast<double>(osds.size()) > busier;
  return fmt::format(
      "osd.{}: a {} takes {} there, where {:.0f} % of them go, and {} on the OSD in the middle of "
      "{}{}",
      slowest.cell->osd, op_kind_name(kind), ns_text(slowest.mean), 100 * share, ns_text(middle),
      osds.size(),
      busy ? " (a shared load gathers on its busiest OSD: --osd gives each its own)" : "");
}

}  // namespace

bool pinned(const RunRecord& record) {
  return record.header.plan.pins.any();
}

std::string pins_text(const RunRecord& record) {
  if (!pinned(record)) return {};
  const PinPlan& pins = record.header.plan.pins;
  return fmt::format("to OSDs {}, {}, with a load for each", pins.osds,
                     pins.mode == PinMode::all ? "whole acting sets" : "as primaries");
}

std::string osds_table(const RunRecord& record) {
  Table table({{"OSD", Align::left},
               {"", Align::left},
               {"ops"},
               {"IOPS"},
               {"mean"},
               {"p50"},
               {"p99"},
               {"max"},
               {"failed"}});
  bool any = false;
  for (const Cell& cell : record.osds) {
    if (cell.osd == no_osd) continue;
    table.add(row_of(record, cell));
    any = true;
  }
  return any ? table.text(indent) : std::string();
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
      "a write is answered when all {} OSDs of its set have it, so its latency is "
      "that of the slowest{}",
      size, alone ? "" : ", and only reads are the pinned OSD's own");
}

}  // namespace radosload::report
