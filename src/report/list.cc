#include "report/list.h"

#include <algorithm>
#include <set>

#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {
// "complete", or "complete, void": a grade that says nothing is not worth the room.
std::string state_text(const record::RunRecord& run) {
  std::string text(record::status_name(run.status));
  if (run.grade.value != record::GradeValue::unwatched) {
    text += fmt::format(", {}", record::grade_name(run.grade.value));
  }
  return text;
}

// A line with the time it began, as ids tell it: by that they are sorted.
struct Line {
  std::string began;
  std::vector<std::string> cells;
};

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

Line line_of(const record::RunRecord& run) {
  const record::Cell total = record::total_of(run.kinds);
  return {run.header.run_id,
          {run.header.run_id, or_dash(run.header.plan.pool), run.header.plan.pattern.name,
           fmt::format("{:.0f} s", seconds(run.measured)), rate_text(record::iops(run, total)),
           rate_text(record::mib_per_s(run, total)), time_text(record::figures_of(total).p99),
           grouped(total.failed()), state_text(run)}};
}

// Figures of different steps have no sum that means anything.
Line line_of(const record::Series& series) {
  Time measured{0};
  std::uint64_t errors = 0;
  for (const record::SeriesStep& step : series.steps) {
    if (!step.record) continue;
    measured += step.record->measured;
    errors += record::total_of(step.record->kinds).failed();
  }
  const std::string pool = series.steps.empty() ? "" : series.steps[0].plan.pool;
  const std::string state =
      series.complete()
          ? fmt::format("complete, {}", counted(series.steps.size(), "step"))
          : fmt::format("{} of {}", series.done(), counted(series.steps.size(), "step"));
  return {series.id.empty() ? "" : series.id.substr(1),
          {series.id, or_dash(pool), series.title, fmt::format("{:.0f} s", seconds(measured)), "-",
           "-", "-", grouped(errors), state}};
}

std::set<std::string> runs_of(const std::vector<record::Series>& series) {
  std::set<std::string> ids;
  for (const record::Series& one : series) {
    for (const record::SeriesStep& step : one.steps) {
      if (step.record) ids.insert(step.record->header.run_id);
    }
  }
  return ids;
}

}  // namespace

std::string list_text(const std::vector<record::RunRecord>& runs,
                      const std::vector<record::Series>& series, bool steps) {
  const std::set<std::string> of_series = steps ? std::set<std::string>() : runs_of(series);
  std::vector<Line> lines;
  lines.reserve(series.size() + runs.size());
  for (const record::Series& one : series) lines.push_back(line_of(one));
  for (const record::RunRecord& run : runs) {
    if (!of_series.contains(run.header.run_id)) lines.push_back(line_of(run));
  }
  if (lines.empty()) return "no saved runs\n";
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.began > b.began; });
  Table table({{"run", Align::left},
               {"pool", Align::left},
               {"pattern", Align::left},
               {"measured"},
               {"IOPS"},
               {"MiB/s"},
               {"p99"},
               {"errors"},
               {"state", Align::left}});
  for (Line& one : lines) table.add(std::move(one.cells));
  return table.text(0);
}

}  // namespace radosload::report
