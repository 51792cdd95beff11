#include "report/csv.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>

#include "plan/labels.h"
#include "record/ranks.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Cell;
using record::Figures;
using record::RunRecord;

namespace {

constexpr double csv_ns_per_us = 1e3;
constexpr double csv_bytes_per_mib = 1024.0 * 1024.0;

// Collects the lines of one table; the first line holds the column names.
class CsvLines {
 public:
  void field(std::string_view text) {
    if (!m_first) m_text += ',';
    m_first = false;
    m_text += csv_field(text);
  }
  void number(double value) { field(fmt::to_string(value)); }
  void number(std::optional<double> value) { field(value ? fmt::to_string(*value) : ""); }
  void count(std::uint64_t value) { field(fmt::to_string(value)); }
  void end() {
    m_text += '\n';
    m_first = true;
  }
  std::string whole() { return std::move(m_text); }

 private:
  std::string m_text;
  bool m_first = true;
};

void add_names(CsvLines& lines, std::string_view prefix,
               std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) lines.field(fmt::format("{}{}", prefix, name));
}

std::string prefix_of(OpKind kind) {
  return fmt::format("{}_", op_kind_name(kind));
}

double csv_us(Time time) {
  return static_cast<double>(time.count()) / csv_ns_per_us;
}

std::optional<double> csv_us(std::optional<Time> time) {
  return time ? std::optional(csv_us(*time)) : std::nullopt;
}

// ---- seconds of a run ----

void add_second_names(CsvLines& lines, std::string_view prefix) {
  add_names(lines, prefix,
            {"ops", "iops", "mib_per_s", "errors", "mean_us", "p50_us", "p99_us", "max_us"});
}

void add_second(CsvLines& lines, const Figures& figures, double length_s) {
  const double per_s = length_s > 0 ? 1 / length_s : 0;
  const bool timed = figures.timed > 0;
  const auto time = [timed](Time value) {
    return timed ? std::optional(csv_us(value)) : std::nullopt;
  };
  lines.count(figures.ops);
  lines.number(static_cast<double>(figures.ops) * per_s);
  lines.number(static_cast<double>(figures.bytes) * per_s / csv_bytes_per_mib);
  lines.count(record::error_total(figures.errors));
  lines.number(time(figures.mean));
  lines.number(csv_us(figures.p50));
  lines.number(csv_us(figures.p99));
  lines.number(time(figures.max));
}

// ---- whole runs ----

std::optional<double> ranked_us(const record::Ranked& ranked) {
  const auto ns = ranked.exact();
  return ns ? std::optional(static_cast<double>(*ns) / csv_ns_per_us) : std::nullopt;
}

void add_total_names(CsvLines& lines, std::string_view prefix) {
  add_names(lines, prefix,
            {"ops", "iops", "mib_per_s", "errors", "lost", "mean_us", "p50_us", "p90_us", "p99_us",
             "p99.9_us", "max_us"});
}

void add_total(CsvLines& lines, const RunRecord& run, const Cell& cell) {
  const record::Ranks ranks = record::response_ranks(cell);
  const auto& answered = cell.latency.response();
  lines.count(cell.ops());
  lines.number(record::iops(run, cell));
  lines.number(record::mib_per_s(run, cell));
  lines.count(cell.failed());
  lines.count(cell.lost.ops());
  lines.number(answered.empty() ? std::nullopt : std::optional(answered.mean() / csv_ns_per_us));
  for (const auto quantile : {record::p50, record::p90, record::p99, record::p999}) {
    lines.number(ranked_us(ranks.percentile(quantile)));
  }
  lines.number(ranked_us(ranks.max()));
}

constexpr int total_columns = 11;

void add_nothing(CsvLines& lines, int columns) {
  for (int i = 0; i < columns; ++i) lines.field("");
}

std::set<OpKind> kinds_in(const record::Series& series) {
  std::set<OpKind> kinds;
  for (const record::SeriesStep& step : series.steps) {
    if (!step.record) continue;
    for (const Cell& cell : step.record->kinds) kinds.insert(cell.kind);
  }
  return kinds;
}

bool has_energy(const record::Series& series) {
  return std::any_of(series.steps.begin(), series.steps.end(), [](const record::SeriesStep& step) {
    return step.record && step.record->energy;
  });
}

void add_estimated(CsvLines& lines, const std::optional<record::Estimated>& figure) {
  lines.number(figure ? std::optional(figure->value) : std::nullopt);
  lines.number(figure ? figure->low : std::nullopt);
  lines.number(figure ? figure->high : std::nullopt);
}

void add_energy_names(CsvLines& lines) {
  add_names(lines, "", {"mean_w"});
  for (const std::string_view figure : {"joules_per_op", "net_joules_per_op"}) {
    add_names(lines, figure, {"", "_low", "_high"});
  }
}

void add_energy(CsvLines& lines, const record::SeriesStep& step) {
  const std::optional<record::Energy> energy = step.record ? step.record->energy : std::nullopt;
  lines.number(energy ? record::mean_watts(*energy) : std::nullopt);
  add_estimated(lines, energy ? energy->joules_per_op : std::nullopt);
  add_estimated(lines, energy ? energy->net_joules_per_op : std::nullopt);
}

void add_step_figures(CsvLines& lines, const record::SeriesStep& step,
                      const std::set<OpKind>& kinds) {
  constexpr int head_columns = 4;
  if (!step.record) {
    add_nothing(lines, head_columns + total_columns * static_cast<int>(1 + kinds.size()));
    return;
  }
  const RunRecord& run = *step.record;
  lines.field(run.header.run_id);
  lines.field(record::status_name(run.status));
  lines.field(record::grade_name(run.grade.value));
  lines.number(seconds(run.measured));
  add_total(lines, run, record::total_of(run.kinds));
  for (const OpKind kind : kinds) {
    const auto cell = std::find_if(run.kinds.begin(), run.kinds.end(),
                                   [kind](const Cell& one) { return one.kind == kind; });
    if (cell == run.kinds.end()) {
      add_nothing(lines, total_columns);
    } else {
      add_total(lines, run, *cell);
    }
  }
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string run_csv(const RunRecord& record) {
  CsvLines lines;
  add_names(lines, "", {"run_id", "t_s", "length_s"});
  add_second_names(lines, "");
  add_names(lines, "", {"late", "in_flight"});
  for (const Cell& cell : record.kinds) add_second_names(lines, prefix_of(cell.kind));
  lines.end();
  for (const record::TimelineRow& row : record.timeline) {
    // answered during the drain
    if (row.start >= record.measured && record.measured > Time(0)) continue;
    const double length_s = seconds(row.length);
    lines.field(record.header.run_id);
    lines.number(seconds(row.start));
    lines.number(length_s);
    add_second(lines, row.all, length_s);
    lines.count(row.late);
    lines.count(row.in_flight);
    for (const Cell& cell : record.kinds) {
      const auto figures = row.kinds.find(cell.kind);
      add_second(lines, figures == row.kinds.end() ? Figures() : figures->second, length_s);
    }
    lines.end();
  }
  return lines.whole();
}

std::string series_csv(const record::Series& series) {
  const std::set<OpKind> kinds = kinds_in(series);
  CsvLines lines;
  add_names(lines, "", {"series_id", "step", "name", "state"});
  if (!series.steps.empty()) {
    for (const auto& [key, value] : series.steps.front().settings) lines.field(key);
  }
  add_names(lines, "", {"run_id", "status", "grade", "measured_s"});
  add_total_names(lines, "");
  for (const OpKind kind : kinds) add_total_names(lines, prefix_of(kind));
  const bool energy = has_energy(series);
  if (energy) add_energy_names(lines);
  lines.end();
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const record::SeriesStep& step = series.steps[i];
    lines.field(series.id);
    lines.count(i + 1);
    lines.field(step.name);
    lines.field(record::state_name(step.state));
    for (const auto& [key, value] : step.settings) lines.field(value);
    add_step_figures(lines, step, kinds);
    if (energy) add_energy(lines, step);
    lines.end();
  }
  return lines.whole();
}

std::string list_csv(const std::vector<ListRow>& rows) {
  CsvLines lines;
  add_names(lines, "",
            {"id", "type", "started", "pool", "pattern", "measured_s", "iops", "mib_per_s",
             "p99_us", "errors", "status", "grade", "steps", "steps_done", "labels"});
  lines.end();
  for (const ListRow& row : rows) {
    lines.field(row.id);
    lines.field(row.type());
    lines.field(row.started);
    lines.field(row.pool);
    lines.field(row.pattern);
    lines.number(seconds(row.measured));
    lines.number(row.iops);
    lines.number(row.mib_per_s);
    lines.number(csv_us(row.p99));
    lines.count(row.errors);
    lines.field(row.status);
    lines.field(row.grade);
    lines.field(row.is_run() ? "" : fmt::to_string(row.steps));
    lines.field(row.is_run() ? "" : fmt::to_string(row.steps_done));
    lines.field(plan::labels_text(row.labels));
    lines.end();
  }
  return lines.whole();
}

}  // namespace radosload::report
