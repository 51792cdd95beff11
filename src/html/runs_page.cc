// The pages of several runs, and of a series.
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "html/data.h"
#include "html/elements.h"
#include "html/escape.h"
#include "html/facts.h"
#include "html/over_time.h"
#include "html/page.h"
#include "html/pictures.h"
#include "html/runs_table.h"
#include "record/ranks.h"
#include "report/facts.h"
#include "report/knee.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::html {

using record::RunRecord;
using record::Series;
using record::SeriesStep;

namespace {

// With more, they are not shown one by one.
constexpr std::size_t most_runs_over_time = 12;
// Of their charts together.
constexpr std::size_t most_chart_columns = 2400;

// Labels if they are enough to distinguish the runs, else the IDs.
std::vector<ShownRun> named_runs(const std::vector<RunRecord>& runs) {
  std::set<std::string> labels;
  for (const RunRecord& run : runs) labels.insert(report::labels_text(run.header.plan.labels));
  const bool by_label = labels.size() == runs.size() && !labels.contains("");
  std::vector<ShownRun> named;
  named.reserve(runs.size());
  for (const RunRecord& run : runs) {
    named.push_back(
        {by_label ? report::labels_text(run.header.plan.labels) : run.header.run_id, &run});
  }
  return named;
}

std::string runs_over_time(const std::vector<ShownRun>& runs) {
  if (runs.size() > most_runs_over_time) {
    return fmt::format("<p>Pages of single runs show them over time; this one has {} runs.</p>\n",
                       runs.size());
  }
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += folded(runs[i].name, over_time(fmt::format("time{}", i + 1), *runs[i].record,
                                           most_chart_columns / runs.size()));
  }
  return text;
}

// What all pages of several runs have below their heads.
std::string parts_of_runs(const std::vector<ShownRun>& runs, const std::vector<std::size_t>& knees,
                          const std::string& knee_lines) {
  const std::string response =
      figure("Response curve", response_curve(runs, knees),
             "Each point is a load; several runs of the same load are one point, with lines from "
             "the lowest to the highest of them.");
  return section("Runs", runs_table(runs, knees, false) + knee_lines) +
         section("Response time over throughput", response) +
         section("Response time by percentile", curves_of_runs(runs)) +
         section("Response time by OSD", curves_by_osd(runs)) +
         section("Warnings and errors", list(warnings_of(runs), "ul")) +
         section("Over time", runs_over_time(runs)) +
         section("What was measured on", inventory(runs)) +
         section("How to repeat it", settings_of(runs));
}

std::string unfinished(const Series& series) {
  std::vector<std::string> lines;
  for (const SeriesStep& step : series.steps) {
    if (step.state == record::StepState::done) continue;
    const std::string reason = step.reason.empty() ? "" : ": " + step.reason;
    lines.push_back(fmt::format("{}: {}{}", step.name, record::state_name(step.state), reason));
  }
  return list(lines, "ul");
}

std::string series_head(const Series& series, const std::vector<ShownRun>& runs) {
  std::string where;
  if (!runs.empty()) {
    const record::RunHeader& first = runs.front().record->header;
    where = report::where_text(first.plan, first.environment);
  }
  return fmt::format("<h1>{}</h1>\n", escaped(series.title)) + grades_of(runs) +
         word_table(
             "The series",
             word_row("where", where) +
                 word_row("measured", fmt::format("{} of {}", series.done(),
                                                  report::counted(series.steps.size(), "step"))) +
                 word_row("series",
                          fmt::format("{}, {}, {}", series.id, series.started, series.program)));
}

}  // namespace

std::string page(const std::vector<RunRecord>& records) {
  if (records.size() == 1) return page(records.front());
  const auto runs = named_runs(records);
  const std::string title = report::counted(runs.size(), "run");
  const std::string head = fmt::format("<h1>{}</h1>\n", title) + grades_of(runs) +
                           "<p>No verdict: a difference between single runs may be chance.</p>\n";
  std::vector<const RunRecord*> kept;
  kept.reserve(records.size());
  for (const RunRecord& record : records) kept.push_back(&record);
  return document(title, head + parts_of_runs(runs, {}, ""), data_element({.runs = kept}));
}

std::string page(const Series& series) {
  std::vector<ShownRun> runs;
  std::map<std::size_t, std::size_t> of_step;
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const SeriesStep& step = series.steps[i];
    if (!step.record) continue;
    of_step[i] = runs.size();
    runs.push_back({step.name, &*step.record});
  }
  std::vector<std::size_t> knees;
  std::vector<std::string> lines;
  for (const report::Knee& knee : report::knees_of(series)) {
    if (!knee.highest) knees.push_back(of_step.at(knee.step));
    lines.push_back("knee: " + report::knee_text(series, knee));
  }
  const std::string body = series_head(series, runs) +
                           section("Steps not done", unfinished(series)) +
                           parts_of_runs(runs, knees, list(lines, "ul"));
  return document(series.title, body, data_element({.series = &series}));
}

}  // namespace radosload::html
