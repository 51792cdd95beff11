#include "html/runs_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "html/elements.h"
#include "html/escape.h"
#include "html/pictures.h"
#include "record/ranks.h"
#include "report/facts.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

using record::Cell;
using record::RunRecord;

namespace {

constexpr std::size_t most_curves = 18;

FigureRow row_of_run(const ShownRun& run, bool knee) {
  const RunRecord& record = *run.record;
  const Cell total = record::total_of(record.kinds);
  const record::Ranks ranks = record::response_ranks(total);
  FigureRow row{.cells = {knee ? run.name + " (knee)" : run.name,
                          report::where_text(record.header.plan, record.header.environment),
                          report::load_text(record.header.plan),
                          report::rate_text(record::iops(record, total)),
                          report::rate_text(record::mib_per_s(record, total))}};
  for (const record::Quantile quantile : {record::p50, record::p99, record::p999}) {
    row.cells.push_back(report::ranked_text(ranks.percentile(quantile)));
  }
  row.cells.push_back(report::ranked_text(ranks.max()));
  row.cells.push_back(report::grouped(total.failed()));
  row.cells.push_back(record.header.run_id);
  const bool graded = record.grade.value != record::GradeValue::unwatched;
  row.cells.emplace_back(graded ? record::grade_name(record.grade.value) : "not graded");
  row.style = fmt::format("graded-{}{}", grade_class(record.grade.value), knee ? " knee" : "");
  return row;
}

void leave_out(std::vector<std::string>& heads, std::vector<FigureRow>& rows, std::size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  heads.erase(heads.begin() + at);
  for (FigureRow& row : rows) row.cells.erase(row.cells.begin() + at);
}

// Columns in which all runs agree say nothing.
void leave_out_common(std::vector<std::string>& heads, std::vector<FigureRow>& rows,
                      std::size_t column) {
  const bool common = std::all_of(rows.begin(), rows.end(), [&](const FigureRow& row) {
    return row.cells[column] == rows.front().cells[column];
  });
  if (common) leave_out(heads, rows, column);
}

std::string left_out_text(std::size_t count) {
  return count <= most_curves ? ""
                              : fmt::format(" The first {} of {} are drawn.", most_curves, count);
}

}  // namespace

std::string runs_table(const std::vector<ShownRun>& runs, const std::vector<std::size_t>& knees,
                       bool ids) {
  if (runs.empty()) return "<p>No run was measured.</p>\n";
  std::vector<FigureRow> rows;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool knee = std::find(knees.begin(), knees.end(), i) != knees.end();
    rows.push_back(row_of_run(runs[i], knee));
  }
  std::vector<std::string> heads = {"run", "where", "load", "IOPS",   "MiB/s", "p50",
                                    "p99", "p99.9", "max",  "failed", "ID",    "grade"};
  if (!ids) leave_out(heads, rows, heads.size() - 2);
  leave_out_common(heads, rows, 2);
  leave_out_common(heads, rows, 1);
  return figure_table("Runs",
                      "All operations of each run; response times, from when each operation was "
                      "due; - where there are too few operations",
                      heads, rows);
}

std::string grades_of(const std::vector<ShownRun>& runs) {
  using record::GradeValue;
  std::map<GradeValue, std::size_t> counts;
  for (const ShownRun& run : runs) ++counts[run.record->grade.value];
  std::vector<std::string> parts;
  std::string_view style = "clean";
  for (const GradeValue grade :
       {GradeValue::void_run, GradeValue::contaminated, GradeValue::unwatched, GradeValue::clean}) {
    if (!counts.contains(grade)) continue;
    if (parts.empty()) style = grade_class(grade);
    const std::string_view name =
        grade == GradeValue::unwatched ? "not graded" : record::grade_name(grade);
    parts.push_back(fmt::format("{} {}", counts[grade], name));
  }
  if (parts.empty()) return {};
  return fmt::format("<p class=\"{}\">Grades: {}</p>\n", style,
                     escaped(report::joined(parts, ", ")));
}

std::string curves_of_runs(const std::vector<ShownRun>& runs) {
  std::vector<NamedCell> cells;
  for (const ShownRun& run : runs) {
    if (cells.size() == most_curves) break;
    cells.push_back({run.name, record::total_of(run.record->kinds)});
  }
  const std::string picture = percentile_curves("curves", cells, {});
  if (picture.empty()) return {};
  return figure("Percentile curves", picture,
                "A line for each run, over all operations. A line ends where there are too few "
                "operations." +
                    left_out_text(runs.size())) +
         folded("Percentiles of these runs", percentile_table(cells));
}

std::string curves_by_osd(const std::vector<ShownRun>& runs) {
  std::vector<Cell> cells;
  for (const ShownRun& run : runs) {
    if (!run.record->header.plan.pins.any()) continue;
    record::merge_cells(cells, run.record->osds);
  }
  const auto osds = slowest_osds(cells, most_curves);
  if (osds.size() < 2) return {};
  const std::string picture = percentile_curves("osds", osds, {});
  if (picture.empty()) return {};
  return figure("Percentile curves by OSD", picture,
                fmt::format("A line for each pinned OSD over all runs; at most {}, those with the "
                            "highest means.",
                            most_curves)) +
         folded("Percentiles of these OSDs", percentile_table(osds));
}

}  // namespace radosload::html
