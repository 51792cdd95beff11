#include "report/trace_summary.h"

#include <map>

#include "radosload/printable.h"

#include "report/facts.h"
#include "report/layout.h"
#include "report/time_unit.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Cell;
using record::RunRecord;
using trace::TraceRow;

namespace {

Time nanoseconds(std::uint64_t ns) {
  return Time(static_cast<Time::rep>(ns));
}

std::string head(const TraceFacts& facts, const RunRecord& record) {
  std::string text = fmt::format("{}: {}\n\n", printable(joined(facts.files, ", ")),
                                 counted(facts.rows, "operation"));
  text += line("span", fmt::format("{} measured; last answer after {}", human_text(record.measured),
                                   human_text(record.last_answer)));
  text += line("trace", facts.ended ? "whole: every operation of the measured phase"
                                    : "incomplete: the run was killed or still runs, or the "
                                      "trace ended before it");
  if (facts.unsound > 0) {
    text += line("damaged", counted(facts.unsound, "row") +
                                " with impossible values, left out of the figures below");
  }
  return text;
}

struct Named {
  std::string name;
  Cell cell;
};

std::vector<LatencyCells> latencies_of(const std::vector<Named>& rows, LatencyCells::Of of) {
  static const std::vector<record::Quantile> quantiles = {record::p50, record::p99, record::p999,
                                                          record::p9999};
  std::vector<LatencyCells> latencies;
  latencies.reserve(rows.size());
  for (const Named& row : rows) latencies.emplace_back(row.cell, of, quantiles);
  return latencies;
}

// "Response time in ms, from when ...:", and the table.
std::string figures(const RunRecord& record, const std::vector<Named>& rows, LatencyCells::Of of,
                    std::string_view what, std::string_view since) {
  const auto latencies = latencies_of(rows, of);
  const TimeUnit unit = unit_of(latencies);
  Table table({{"", Align::left},
               {"ops"},
               {"failed"},
               {"IOPS"},
               {"MiB/s"},
               {"mean"},
               {"p50"},
               {"p99"},
               {"p99.9"},
               {"p99.99"},
               {"max"}});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Cell& cell = rows[i].cell;
    std::vector<std::string> cells = {
        rows[i].name, grouped(cell.ops()), grouped(cell.failed() + cell.cancelled),
        rate_text(record::iops(record, cell)), rate_text(record::mib_per_s(record, cell))};
    latencies[i].add_to(cells, unit);
    table.add(std::move(cells));
  }
  return fmt::format("\n  {} in {}{}:\n{}", what, unit.name, since, table.text(indent));
}

std::vector<Named> by_kind(const RunRecord& record) {
  std::vector<Named> rows;
  for (const Cell& cell : record.kinds) {
    rows.push_back({std::string(op_kind_name(cell.kind)), cell});
  }
  if (rows.size() > 1) rows.push_back({"all", record::total_of(record.kinds)});
  return rows;
}

std::vector<Named> by_osd(const RunRecord& record) {
  std::map<std::int32_t, Cell> osds;
  for (const Cell& cell : record.osds) osds[cell.osd].merge(cell);
  std::vector<Named> rows;
  rows.reserve(osds.size());
  for (auto& [osd, cell] : osds) rows.push_back({fmt::format("osd.{}", osd), std::move(cell)});
  return rows;
}

std::string latency_tables(const RunRecord& record) {
  using Of = LatencyCells::Of;
  const std::vector<Named> kinds = by_kind(record);
  if (kinds.empty()) return "\n  the trace holds no operation\n";
  const Cell total = record::total_of(record.kinds);
  const bool differ = total.latency.differ() || total.lost.unsent() > 0;
  std::string text = differ ? figures(record, kinds, Of::response, "Response time",
                                      ", from when each operation was due") +
                                  figures(record, kinds, Of::service, "Service time",
                                          ", from when it was submitted")
                            : figures(record, kinds, Of::response, "Latency", "");
  if (record.osds.empty()) return text;
  return text + figures(record, by_osd(record), Of::service,
                        differ ? "Service time on each OSD" : "Latency on each OSD", "");
}

std::string errors(const RunRecord& record) {
  std::string text;
  for (const Cell& cell : record.kinds) {
    std::vector<std::string> parts;
    if (!cell.errors.empty()) parts.push_back(errors_text(cell.errors));
    if (cell.cancelled > 0) parts.push_back(grouped(cell.cancelled) + " cancelled");
    if (parts.empty()) continue;
    text += line("errors", fmt::format("{}: {}", op_kind_name(cell.kind), joined(parts, ", ")));
  }
  text += line("lost", lost_text(record, record::total_of(record.kinds)));
  return text.empty() ? text : "\n" + text;
}

std::string lateness(const RunRecord& record) {
  if (record.lateness.count() == 0) return {};
  const auto at = [&record](record::Quantile quantile) {
    const auto ns = record.lateness.percentile(quantile);
    return ns ? human_text(nanoseconds(*ns)) : "-";
  };
  return "\n" + line("late", fmt::format("median {} after operations were due, p99 {}, max {}{}",
                                         at(record::p50), at(record::p99),
                                         human_text(nanoseconds(record.lateness.max())),
                                         only_sent_text(record)));
}

std::string outcome_text(const TraceRow& row) {
  const Outcome outcome{.rc = row.rc, .bytes = row.bytes};
  if (outcome.ok()) return "ok";
  return outcome.cancelled() ? "cancelled" : rc_name(row.rc);
}

std::vector<std::string> slow_cells(const TraceFacts& facts, const trace::SlowOp& op) {
  const TraceRow& row = op.row;
  const Bytes object_size = facts.object_size;
  std::vector<std::string> cells = {fmt::format("{:.6f}", seconds(Time(row.submit_ns))),
                                    std::string(op_kind_name(static_cast<OpKind>(row.op))),
                                    human_text(trace::response_of(row)),
                                    human_text(trace::service_of(row)), fmt::to_string(row.where)};
  if (object_size.count > 0) cells.push_back(fmt::to_string(row.where / object_size.count));
  cells.push_back(fmt::to_string(row.bytes));
  cells.push_back(row.osd == no_osd ? "-" : fmt::format("osd.{}", row.osd));
  cells.push_back(row.pg == no_pg ? "-" : fmt::format("{:x}", row.pg));
  cells.push_back(fmt::to_string(row.client));
  cells.push_back(outcome_text(row));
  if (facts.files.size() > 1) cells.push_back(printable(facts.files.at(op.file)));
  return cells;
}

std::string slowest_table(const TraceFacts& facts, const std::vector<trace::SlowOp>& slowest) {
  if (slowest.empty()) return {};
  std::vector<Table::Column> columns = {
      {"sent at s"}, {"op", Align::left}, {"response"}, {"service"}, {"where"}};
  if (facts.object_size.count > 0) columns.push_back({"object"});
  for (const char* const name : {"bytes", "osd", "pg", "client"}) columns.push_back({name});
  columns.push_back({"result", Align::left});
  if (facts.files.size() > 1) columns.push_back({"trace", Align::left});
  Table table(columns);
  for (const trace::SlowOp& op : slowest) table.add(slow_cells(facts, op));
  const std::string what =
      slowest.size() == 1 ? "The slowest:" : fmt::format("The {} slowest:", slowest.size());
  return fmt::format("\n  {}\n{}", what, table.text(indent));
}

}  // namespace

std::string trace_summary(const TraceFacts& facts, const RunRecord& record,
                          const std::vector<trace::SlowOp>& slowest) {
  return head(facts, record) + latency_tables(record) + errors(record) + lateness(record) +
         slowest_table(facts, slowest);
}

}  // namespace radosload::report
