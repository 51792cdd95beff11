#include "report/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>

#include "radosload/printable.h"

#include "plan/differences.h"
#include "report/facts.h"
#include "report/layout.h"
#include "report/spread.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Cell;
using record::RunRecord;

namespace {

using Value = std::optional<double>;

constexpr double ns_per_us = 1e3;

// Each name of a metric is tied to its statistic here and nowhere else.
struct Metric {
  const char* name;
  Value (*of)(const RunRecord&, const Cell&);  // null: the quantile, in microseconds
  record::Quantile quantile = {};
};

constexpr std::array<Metric, 13> metrics = {{
    {"ops", [](const RunRecord&, const Cell& c) { return Value(static_cast<double>(c.ops())); }},
    {"IOPS", [](const RunRecord& r, const Cell& c) { return Value(record::iops(r, c)); }},
    {"MiB/s", [](const RunRecord& r, const Cell& c) { return Value(record::mib_per_s(r, c)); }},
    {"mean us",
     [](const RunRecord&, const Cell& c) -> Value {
       if (c.ops() == 0) return std::nullopt;
       return c.latency.response().mean() / ns_per_us;
     }},
    {"p50 us", nullptr, record::p50},
    {"p90 us", nullptr, record::p90},
    {"p99 us", nullptr, record::p99},
    {"p99.9 us", nullptr, record::p999},
    {"p99.99 us", nullptr, record::p9999},
    {"stddev us",
     [](const RunRecord&, const Cell& c) -> Value {
       if (c.ops() == 0) return std::nullopt;
       return c.latency.response().stddev() / ns_per_us;
     }},
    {"errors",
     [](const RunRecord&, const Cell& c) { return Value(static_cast<double>(c.failed())); }},
    {"lost", [](const RunRecord&,
                const Cell& c) { return Value(static_cast<double>(c.lost.service.count())); }},
    {"not sent",
     [](const RunRecord&, const Cell& c) { return Value(static_cast<double>(c.lost.unsent())); }},
}};

std::vector<OpKind> kinds_of(const std::vector<RunRecord>& runs) {
  std::set<OpKind> kinds;
  for (const RunRecord& run : runs) {
    for (const Cell& cell : run.kinds) kinds.insert(cell.kind);
  }
  return {kinds.begin(), kinds.end()};
}

Cell cell_of(const RunRecord& run, OpKind kind) {
  for (const Cell& cell : run.kinds) {
    if (cell.kind == kind) return cell;
  }
  return {};
}

// The standard deviation of the throughput of single seconds. No kind: all kinds together.
Value deviation_of(const RunRecord& run, const std::optional<OpKind>& kind) {
  if (kind && cell_of(run, *kind).empty()) return std::nullopt;
  std::vector<double> rates;
  for (const record::TimelineRow* const row : full_seconds(run)) {
    std::uint64_t ops = row->all.ops;
    if (kind) {
      // A second in which nothing of the kind was answered has no figures of it.
      const auto found = row->kinds.find(*kind);
      ops = found == row->kinds.end() ? 0 : found->second.ops;
    }
    rates.push_back(static_cast<double>(ops) / seconds(row->length));
  }
  if (rates.size() < 2) return std::nullopt;
  return spread_of(rates).deviation;
}

void add_deviation(Comparison& comparison, const std::vector<RunRecord>& runs,
                   const std::string& name, const std::optional<OpKind>& kind) {
  Comparison::Row row{.kind = name, .metric = "IOPS stddev", .values = {}};
  for (const RunRecord& run : runs) row.values.push_back(deviation_of(run, kind));
  // The row goes below IOPS, which is the second metric.
  constexpr std::size_t behind = 2;
  const auto end = comparison.rows.end();
  comparison.rows.insert(end - static_cast<std::ptrdiff_t>(metrics.size() - behind),
                         std::move(row));
}

void add_percentile(Comparison::Row& row, const Cell& cell, record::Quantile quantile) {
  const record::Ranked found = record::response_ranks(cell).percentile(quantile);
  const double us = static_cast<double>(found.ns) / ns_per_us;
  row.values.push_back(found.exact() ? Value(us) : std::nullopt);
  row.bounds.push_back(found.kind == record::Ranked::Kind::beyond ? Value(us) : std::nullopt);
}

void add_rows(Comparison& comparison, const std::vector<RunRecord>& runs, const std::string& kind,
              const std::vector<Cell>& cells) {
  for (const Metric& metric : metrics) {
    Comparison::Row row{.kind = kind, .metric = metric.name, .values = {}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (metric.of != nullptr) {
        row.values.push_back(metric.of(runs[i], cells[i]));
      } else {
        add_percentile(row, cells[i], metric.quantile);
      }
    }
    comparison.rows.push_back(std::move(row));
  }
}

// ---- energy ----

struct EnergyMetric {
  const char* name;
  Value (*of)(const record::Energy&);
};

Value in_mj(const std::optional<record::Estimated>& joules) {
  constexpr double mj_per_j = 1e3;
  return joules ? Value(joules->value * mj_per_j) : std::nullopt;
}

Value value_of(const std::optional<record::Estimated>& estimated) {
  return estimated ? Value(estimated->value) : std::nullopt;
}

constexpr std::array<EnergyMetric, 5> energy_metrics = {{
    {"watts", [](const record::Energy& e) { return record::mean_watts(e); }},
    {"mJ/op", [](const record::Energy& e) { return in_mj(e.joules_per_op); }},
    {"net mJ/op", [](const record::Energy& e) { return in_mj(e.net_joules_per_op); }},
    {"IOPS/W", [](const record::Energy& e) { return value_of(record::ops_per_joule(e)); }},
    {"net IOPS/W", [](const record::Energy& e) { return value_of(record::net_ops_per_joule(e)); }},
}};

// Of all operations together; not in runs without it.
void add_energy(Comparison& comparison, const std::vector<RunRecord>& runs,
                const std::string& kind) {
  const auto has = [](const RunRecord& run) { return run.energy.has_value(); };
  if (std::none_of(runs.begin(), runs.end(), has)) return;
  for (const EnergyMetric& metric : energy_metrics) {
    Comparison::Row row{.kind = kind, .metric = metric.name, .values = {}};
    for (const RunRecord& run : runs) {
      row.values.push_back(run.energy ? metric.of(*run.energy) : std::nullopt);
    }
    comparison.rows.push_back(std::move(row));
  }
}

// ---- what else differs ----

std::string distinct(const std::vector<RunRecord>& runs, std::string (*of)(const RunRecord&)) {
  std::vector<std::string> values;
  for (const RunRecord& run : runs) {
    const std::string value = of(run);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  if (values.size() < 2) return {};
  std::replace(values.begin(), values.end(), std::string(), std::string("none"));
  return joined(values, " / ");
}

void add_plan_differences(std::vector<std::string>& warnings, const std::vector<RunRecord>& runs) {
  std::vector<const RunPlan*> plans;
  plans.reserve(runs.size());
  for (const RunRecord& run : runs) plans.push_back(&run.header.plan);
  for (const plan::Difference& one : plan::differences(plans)) {
    warnings.push_back(fmt::format("different {}: {}", one.option, joined(one.values, " / ")));
  }
}

std::string power_sources(const RunRecord& run) {
  std::vector<std::string> names;
  if (!run.energy) return {};
  for (const record::PowerSource& source : run.energy->sources) names.push_back(source.name);
  return joined(names, ", ");
}

void add_differences(std::vector<std::string>& warnings, const std::vector<RunRecord>& runs) {
  const auto note = [&](const char* what, const std::string& values) {
    if (!values.empty()) warnings.push_back(fmt::format("different {}: {}", what, values));
  };
  add_plan_differences(warnings, runs);
  note("sources of power", distinct(runs, power_sources));
  note("cluster", distinct(runs, [](const RunRecord& run) { return run.header.environment.fsid; }));
  note("Ceph", distinct(runs, versions_text));
  note("program", distinct(runs, [](const RunRecord& run) { return run.header.program; }));
}

// Percentiles that fall among lost operations are missing from the table.
std::string lost_text(const RunRecord& run) {
  const Cell total = record::total_of(run.kinds);
  if (total.lost.ops() == 0) return {};
  const std::uint64_t all = record::response_ranks(total).count();
  return fmt::format(
      "{} of {} were lost ({} without an answer, {} never sent); percentiles count the time they "
      "had waited, means leave them out",
      grouped(total.lost.ops()), counted(all, "operation"), grouped(total.lost.service.count()),
      grouped(total.lost.unsent()));
}

// Warns about flaws of a single run.
void add_flaws(std::vector<std::string>& warnings, const RunRecord& run) {
  const auto note = [&](const std::string& flaw) {
    warnings.push_back(fmt::format("{}: {}", run.header.run_id, flaw));
  };
  if (run.status != record::RunStatus::complete) note(std::string(record::status_name(run.status)));
  if (run.grade.value == record::GradeValue::contaminated ||
      run.grade.value == record::GradeValue::void_run) {
    note(grade_text(run.grade));
  }
  if (const std::string lost = lost_text(run); !lost.empty()) note(lost);
  if (const auto violation = record::conservation_violation(run)) {
    note("its figures do not add up: " + *violation);
  }
}

// ---- text ----

std::string value_text(const Comparison::Row& row, std::size_t run) {
  if (row.values[run]) return rate_text(*row.values[run]);
  const bool bound = !row.bounds.empty() && row.bounds[run];
  return bound ? "> " + rate_text(*row.bounds[run]) : "-";
}

std::string difference_text(const Comparison::Row& row, std::size_t run) {
  const auto difference = row.difference(run);
  if (!difference) return "-";
  if (*difference == 0) return "0";
  return (*difference < 0 ? "-" : "+") + rate_text(std::abs(*difference));
}

std::string ratio_text(const Comparison::Row& row, std::size_t run) {
  const auto ratio = row.ratio(run);
  return ratio ? fmt::format("{:.3f}", *ratio) : "-";
}

std::string runs_list(const Comparison& comparison) {
  std::string text;
  for (std::size_t i = 0; i < comparison.names.size(); ++i) {
    text +=
        fmt::format("  {}  {}\n", static_cast<char>('A' + i % 26), printable(comparison.names[i]));
  }
  return text;
}

}  // namespace

std::optional<double> Comparison::Row::difference(std::size_t run) const {
  if (!values[0] || !values[run]) return std::nullopt;
  return *values[run] - *values[0];
}

std::optional<double> Comparison::Row::ratio(std::size_t run) const {
  if (!values[0] || !values[run] || *values[0] == 0) return std::nullopt;
  return *values[run] / *values[0];
}

Comparison compare(const std::vector<RunRecord>& runs) {
  Comparison comparison;
  for (const RunRecord& run : runs) comparison.names.push_back(run.header.run_id);
  const std::vector<OpKind> kinds = kinds_of(runs);
  for (const OpKind kind : kinds) {
    std::vector<Cell> cells;
    cells.reserve(runs.size());
    for (const RunRecord& run : runs) cells.push_back(cell_of(run, kind));
    add_rows(comparison, runs, std::string(op_kind_name(kind)), cells);
    add_deviation(comparison, runs, std::string(op_kind_name(kind)), kind);
  }
  if (kinds.size() != 1) {
    std::vector<Cell> cells;
    cells.reserve(runs.size());
    for (const RunRecord& run : runs) cells.push_back(record::total_of(run.kinds));
    add_rows(comparison, runs, "all", cells);
    add_deviation(comparison, runs, "all", std::nullopt);
  }
  add_energy(comparison, runs,
             kinds.size() == 1 ? std::string(op_kind_name(kinds.front())) : "all");
  add_differences(comparison.warnings, runs);
  for (const RunRecord& run : runs) add_flaws(comparison.warnings, run);
  return comparison;
}

std::string compare_text(const Comparison& comparison) {
  std::vector<Table::Column> columns = {{"", Align::left}, {"", Align::left}, {"A"}};
  for (std::size_t i = 1; i < comparison.names.size(); ++i) {
    const char name = static_cast<char>('A' + i % 26);
    columns.push_back({std::string(1, name)});
    columns.push_back({fmt::format("{}-A", name)});
    columns.push_back({fmt::format("{}/A", name)});
  }
  Table table(columns);
  std::string kind;
  for (const Comparison::Row& row : comparison.rows) {
    std::vector<std::string> cells = {row.kind == kind ? "" : row.kind, row.metric,
                                      value_text(row, 0)};
    kind = row.kind;
    for (std::size_t i = 1; i < row.values.size(); ++i) {
      cells.push_back(value_text(row, i));
      cells.push_back(difference_text(row, i));
      cells.push_back(ratio_text(row, i));
    }
    table.add(std::move(cells));
  }
  std::string text = runs_list(comparison) + "\n" + table.text(2) + "\n";
  for (const std::string& warning : comparison.warnings)
    text += paragraph("warning", warning, 2, 9);
  return text + no_verdict();
}

}  // namespace radosload::report
