// Checks the rule for every run: no operation is lost and none is counted twice.
#include <map>

#include "record/run_record.h"

#include <fmt/format.h>

namespace radosload::record {

namespace {

using Violation = std::optional<std::string>;

constexpr const char* in_cells = "in the cells of its kinds";

// Two counters of the same operations: `one` in the first place, `other` in the second.
Violation differs(std::string_view what, std::uint64_t one, std::string_view where,
                  std::uint64_t other, std::string_view elsewhere) {
  if (one == other) return std::nullopt;
  return fmt::format("{}: {} {}, but {} {}", what, one, where, other, elsewhere);
}

Violation check_flow(const RunRecord& record) {
  Flow all = record.measured_flow;
  all += record.unmeasured_flow;
  if (record.status == RunStatus::complete && record.unfinished != 0) {
    return fmt::format("a complete run left {} operations in flight", record.unfinished);
  }
  return differs("operations", all.submitted, "were submitted", all.ended() + record.unfinished,
                 "ended or were in flight at the end");
}

// Older records have no lost operations.
Violation check_lost(const RunRecord& record, const Cell& total) {
  if (total.lost.ops() == 0 || record.status == RunStatus::incomplete) return std::nullopt;
  const std::uint64_t waited = total.lost.service.count();
  if (waited < total.cancelled) {
    return fmt::format("{} operations were cancelled, but only {} waited", total.cancelled, waited);
  }
  return differs("never sent", record.unissued, "in the whole run", total.lost.unsent(),
                 "in the cells of its kinds");
}

// Compares the engine's counters with the histograms.
Violation check_cells(const RunRecord& record) {
  const Cell total = total_of(record.kinds);
  const Flow& flow = record.measured_flow;
  if (auto bad = differs("completed", flow.completed, "in the engine", total.ops(), in_cells))
    return bad;
  if (auto bad = differs("failed", flow.failed, "in the engine", total.failed(), in_cells))
    return bad;
  if (auto bad = differs("cancelled", flow.cancelled, "in the engine", total.cancelled, in_cells))
    return bad;
  if (auto bad = differs("answered", flow.completed + record.carried_flow.completed,
                         "in the engine", total.finished.ops + total.drained.ops, in_cells)) {
    return bad;
  }
  if (auto bad = check_lost(record, total)) return bad;
  return differs("histograms", total.latency.service().count(), "service times",
                 total.latency.response().count(), "response times");
}

Violation check_timeline(const RunRecord& record) {
  Flow flow;
  std::uint64_t ops = 0;
  std::uint64_t timed = 0;
  std::map<OpKind, std::uint64_t> kinds;
  for (const TimelineRow& row : record.timeline) {
    flow += row.flow;
    ops += row.all.ops;
    timed += row.all.timed;
    for (const auto& [kind, figures] : row.kinds) kinds[kind] += figures.ops;
  }
  const Flow& whole = record.measured_flow;
  if (auto bad = differs("submitted", whole.submitted, "in the whole run", flow.submitted,
                         "in its seconds"))
    return bad;
  if (auto bad = differs("completed", whole.completed, "in the whole run", flow.completed,
                         "in its seconds"))
    return bad;
  if (auto bad = differs("failed", whole.failed, "in the whole run", flow.failed, "in its seconds"))
    return bad;
  if (auto bad = differs("cancelled", whole.cancelled, "in the whole run", flow.cancelled,
                         "in its seconds"))
    return bad;
  if (auto bad = differs("timeline", timed, "in its seconds", whole.completed, "in the whole run"))
    return bad;
  const std::uint64_t answered = whole.completed + record.carried_flow.completed;
  if (auto bad = differs("timeline", ops, "in its seconds", answered, "were answered")) return bad;
  for (const Cell& cell : record.kinds) {
    const std::uint64_t sum = cell.finished.ops + cell.drained.ops;
    if (auto bad = differs(op_kind_name(cell.kind), sum, "in the whole run", kinds[cell.kind],
                           "in its seconds"))
      return bad;
  }
  return std::nullopt;
}

// The OSDs of some operations may be unknown, so OSDs may have fewer than the total, but never
// more.
Violation check_osds(const RunRecord& record) {
  std::map<OpKind, std::uint64_t> on_osds;
  for (const Cell& cell : record.osds) on_osds[cell.kind] += cell.ops();
  for (const auto& [kind, ops] : on_osds) {
    std::uint64_t whole = 0;
    for (const Cell& cell : record.kinds) whole += cell.kind == kind ? cell.ops() : 0;
    if (ops > whole) {
      return fmt::format("{}: {} on OSDs, but {} in total", op_kind_name(kind), ops, whole);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> conservation_violation(const RunRecord& record) {
  for (const auto check : {check_flow, check_cells, check_timeline, check_osds}) {
    if (auto violation = check(record)) return violation;
  }
  return std::nullopt;
}

}  // namespace radosload::record
