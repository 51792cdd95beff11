#include "report/list.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "plan/labels.h"
#include "report/layout.h"
#include "report/time_unit.h"

#include <fmt/format.h>

namespace radosload::report {

namespace {

// One unit for the p99 of all rows.
TimeUnit unit_of_p99(const std::vector<ListRow>& rows) {
  std::vector<double> times;
  for (const ListRow& row : rows) {
    if (row.p99) times.push_back(static_cast<double>(row.p99->count()));
  }
  return unit_of(times);
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

// "complete", or "complete, void"; of a series "complete, 4 steps" or "2 of 4 steps"; of a study
// "complete, 40 cells" or "cut off, 8 of 40 cells".
std::string state_text(const ListRow& row) {
  if (row.is_run()) {
    const bool graded = row.grade != record::grade_name(record::GradeValue::unwatched);
    return graded ? fmt::format("{}, {}", row.status, row.grade) : row.status;
  }
  if (row.kind == Saved::study) {
    const std::string cells = counted(row.steps, "cell");
    return row.steps_done == row.steps
               ? fmt::format("{}, {}", row.status, cells)
               : fmt::format("{}, {} of {}", row.status, row.steps_done, cells);
  }
  const std::string steps = counted(row.steps, row.kind == Saved::timing ? "measurement" : "step");
  return row.steps_done == row.steps ? fmt::format("complete, {}", steps)
                                     : fmt::format("{} of {}", row.steps_done, steps);
}

ListRow row_of(const record::RunRecord& run) {
  const record::Cell total = record::total_of(run.kinds);
  return {.id = run.header.run_id,
          .started = run.header.started,
          .pool = run.header.plan.pool,
          .pattern = run.header.plan.pattern.name,
          .measured = run.measured,
          .iops = record::iops(run, total),
          .mib_per_s = record::mib_per_s(run, total),
          .p99 = record::figures_of(total).p99,
          .errors = total.failed(),
          .status = std::string(record::status_name(run.status)),
          .grade = std::string(record::grade_name(run.grade.value)),
          .labels = run.header.plan.labels};
}

ListRow row_of(const record::Series& series) {
  ListRow row{.kind = Saved::series,
              .id = series.id,
              .started = series.started,
              .pool = series.steps.empty() ? "" : series.steps[0].plan.pool,
              .pattern = series.title,
              .status = series.complete() ? "complete" : "incomplete",
              .steps = series.steps.size(),
              .steps_done = series.done(),
              .labels = series.steps.empty() ? Labels() : series.steps[0].plan.labels};
  for (const record::SeriesStep& step : series.steps) {
    if (!step.record) continue;
    row.measured += step.record->measured;
    row.errors += record::total_of(step.record->kinds).failed();
  }
  return row;
}

// The start time, from the ID; an ID that radosload did not make begins with a letter.
std::string_view began(const ListRow& row) {
  const std::string_view id = row.id;
  return row.is_run() || id.empty() ? id : id.substr(1);
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

std::vector<ListRow> list_rows(const std::vector<record::RunRecord>& runs, const Listed& others) {
  std::set<std::string> left_out = others.steps ? std::set<std::string>() : runs_of(others.series);
  std::map<std::string, Time> measured;
  for (const record::RunRecord& run : runs) measured[run.header.run_id] = run.measured;
  std::vector<ListRow> rows = others.studies;
  for (ListRow& study : rows) {
    for (const std::string& id : study.made_of) {
      const auto run = measured.find(id);
      if (run != measured.end()) study.measured += run->second;
      if (!others.cells) left_out.insert(id);
    }
  }
  const auto add = [&](ListRow row) {
    if (!left_out.contains(row.id)) rows.push_back(std::move(row));
  };
  for (const ListRow& timing : others.timings) add(timing);
  for (const record::Series& one : others.series) add(row_of(one));
  for (const record::RunRecord& run : runs) add(row_of(run));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ListRow& a, const ListRow& b) { return began(a) > began(b); });
  return rows;
}

std::vector<ListRow> with_labels(std::vector<ListRow> rows, const Labels& wanted) {
  std::erase_if(rows, [&](const ListRow& row) { return !plan::has_labels(row.labels, wanted); });
  return rows;
}

std::string list_text(const std::vector<ListRow>& rows) {
  if (rows.empty()) return "no saved runs\n";
  const TimeUnit unit = unit_of_p99(rows);
  std::vector<Table::Column> columns = {{"run", Align::left},
                                        {"pool", Align::left},
                                        {"pattern", Align::left},
                                        {"measured"},
                                        {"IOPS"},
                                        {"MiB/s"},
                                        {fmt::format("p99 {}", unit.name)},
                                        {"errors"},
                                        {"state", Align::left}};
  const bool labelled =
      std::any_of(rows.begin(), rows.end(), [](const ListRow& row) { return !row.labels.empty(); });
  if (labelled) columns.push_back({"labels", Align::left});
  Table table(columns);
  const auto rate = [](const std::optional<double>& value) {
    return value ? rate_text(*value) : std::string("-");
  };
  const auto p99 = [unit](const ListRow& row) {
    return row.p99 ? in_unit(static_cast<double>(row.p99->count()), unit) : std::string("-");
  };
  for (const ListRow& row : rows) {
    std::vector<std::string> cells = {
        row.id,         or_dash(row.pool),
        row.pattern,    fmt::format("{:.0f} s", seconds(row.measured)),
        rate(row.iops), rate(row.mib_per_s),
        p99(row),       grouped(row.errors),
        state_text(row)};
    if (labelled) cells.push_back(plan::labels_text(row.labels));
    table.add(std::move(cells));
  }
  return table.text(0);
}

}  // namespace radosload::report
