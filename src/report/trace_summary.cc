#include "report/trace_summary.h"

#include <array>
#include <map>

#include "radosload/printable.h"

#include "report/facts.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Cell;
using record::Histogram;
using record::RunRecord;
using trace::SlowOp;
using trace::TraceRow;

namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t label_width = 10;

std::string line(std::string_view label, std::string_view text) {
  return text.empty() ? std::string() : paragraph(label, text, indent, label_width);
}

Time nanoseconds(std::uint64_t ns) {
  return Time(static_cast<Time::rep>(ns));
}

std::string head(const TraceFacts& facts, const RunRecord& record) {
  std::string text =
      fmt::format("{}: {}\n\n", printable(facts.file), counted(facts.rows, "operation"));
  text += line("span", fmt::format("{} measured; the last answer came after {}",
                                   human_text(record.measured), human_text(record.last_answer)));
  text += line("trace", facts.ended ? "whole: every operation of the measured phase"
                                    : "incomplete: its run was killed or still runs, or the "
                                      "trace ended before it");
  if (facts.unsound > 0) {
    text += line("damaged", counted(facts.unsound, "row") +
                                " that no run can have written; they are in no figure below");
  }
  return text;
}

void add_percentiles(std::vector<std::string>& cells, const Histogram& histogram,
                     const record::Ranks& ranks) {
  static constexpr std::array quantiles = {record::p50, record::p99, record::p999, record::p9999};
  const bool any = !histogram.empty();
  const auto mean = static_cast<std::uint64_t>(histogram.mean());
  cells.push_back(any ? human_text(nanoseconds(mean)) : "-");
  for (const auto quantile : quantiles) {
    cells.push_back(ranked_text(ranks.percentile(quantile)));
  }
  cells.push_back(ranked_text(ranks.max()));
}

struct Named {
  std::string name;
  Cell cell;
};

std::string figures(const RunRecord& record, const std::vector<Named>& rows, bool service) {
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
  for (const auto& [name, cell] : rows) {
    std::vector<std::string> cells = {
        name, grouped(cell.ops()), grouped(cell.failed() + cell.cancelled),
        rate_text(record::iops(record, cell)), rate_text(record::mib_per_s(record, cell))};
    if (service) {
      add_percentiles(cells, cell.latency.service(), record::service_ranks(cell));
    } else {
      add_percentiles(cells, cell.latency.response(), record::response_ranks(cell));
    }
    table.add(std::move(cells));
  }
  return table.text(indent);
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
  const std::vector<Named> kinds = by_kind(record);
  if (kinds.empty()) return "\n  no operation is in it\n";
  const bool differ = record::total_of(record.kinds).latency.differ();
  std::string text = "\n";
  if (differ) text += "  Response time, from when each operation was due:\n";
  text += figures(record, kinds, false);
  if (differ) {
    text += "\n  Service time, from when it was submitted:\n" + figures(record, kinds, true);
  }
  if (record.osds.empty()) return text;
  return text + (differ ? "\n  Service time on each OSD:\n" : "\n") +
         figures(record, by_osd(record), true);
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
  return text.empty() ? text : "\n" + text;
}

std::string lateness(const RunRecord& record) {
  if (record.lateness.count() == 0) return {};
  const auto at = [&record](record::Quantile quantile) {
    const auto ns = record.lateness.percentile(quantile);
    return ns ? human_text(nanoseconds(*ns)) : "-";
  };
  return "\n" +
         line("late", fmt::format("sent {} after their time in the median, p99 {}, at most {}",
                                  at(record::p50), at(record::p99),
                                  human_text(nanoseconds(record.lateness.max()))));
}

std::string outcome_text(const TraceRow& row) {
  const Outcome outcome{.rc = row.rc, .bytes = row.bytes};
  if (outcome.ok()) return "ok";
  return outcome.cancelled() ? "cancelled" : rc_name(row.rc);
}

std::vector<std::string> slow_cells(const TraceRow& row, Bytes object_size) {
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
  return cells;
}

std::string slowest_table(const std::vector<SlowOp>& slowest, Bytes object_size) {
  if (slowest.empty()) return {};
  std::vector<Table::Column> columns = {
      {"sent at s"}, {"op", Align::left}, {"response"}, {"service"}, {"where"}};
  if (object_size.count > 0) columns.push_back({"object"});
  for (const char* const name : {"bytes", "osd", "pg", "client"}) columns.push_back({name});
  columns.push_back({"result", Align::left});
  Table table(columns);
  for (const SlowOp& op : slowest) table.add(slow_cells(op.row, object_size));
  const std::string what =
      slowest.size() == 1 ? "The slowest:" : fmt::format("The {} slowest:", slowest.size());
  return fmt::format("\n  {}\n{}", what, table.text(indent));
}

}  // namespace

std::string trace_summary(const TraceFacts& facts, const RunRecord& record,
                          const std::vector<SlowOp>& slowest) {
  return head(facts, record) + latency_tables(record) + errors(record) + lateness(record) +
         slowest_table(slowest, facts.object_size);
}

}  // namespace radosload::report
