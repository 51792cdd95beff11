#include "report/series_text.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "radosload/printable.h"

#include "plan/names.h"
#include "plan/warmup.h"
#include "record/drive_profile.h"
#include "report/compat/kbench.h"
#include "report/drive_profile_text.h"
#include "report/each_text.h"
#include "report/facts.h"
#include "report/knee.h"
#include "report/layout.h"
#include "report/time_unit.h"

#include <fmt/format.h>

namespace radosload::report {

using record::Cell;
using record::RunRecord;
using record::Series;
using record::SeriesStep;
using record::StepState;

namespace {

const RunRecord* first_record(const Series& series) {
  for (const SeriesStep& step : series.steps) {
    if (step.record) return &*step.record;
  }
  return nullptr;
}

// ---- the head: what ran where ----

std::string cluster_text(const Series& series) {
  const RunRecord* const record = first_record(series);
  if (record == nullptr) return {};
  const std::string fsid = record->header.environment.fsid;
  const std::string versions = versions_text(*record);
  return fsid.empty() || versions.empty() ? fsid : fmt::format("{}, Ceph {}", fsid, versions);
}

// Of the steps that have been run, as they were: images have sizes of their own. Of all, as they
// are planned, when none has.
std::vector<const RunPlan*> plans_of(const Series& series) {
  const bool none = first_record(series) == nullptr;
  std::vector<const RunPlan*> plans;
  for (const SeriesStep& step : series.steps) {
    if (step.record) plans.push_back(&step.record->header.plan);
    if (none) plans.push_back(&step.plan);
  }
  return plans;
}

// "20s" when all steps have this value; empty when they differ, because the table then has a column
// for it.
template <typename Text>
std::string common(const Series& series, Text&& text) {
  std::optional<std::string> value;
  for (const RunPlan* const plan : plans_of(series)) {
    std::string here(text(*plan));
    if (value && here != *value) return {};
    value = std::move(here);
  }
  return value.value_or("");
}

std::string data_text(const Series& series) {
  const std::string size =
      common(series, [](const RunPlan& plan) { return option_text(plan.pattern.working_set); });
  // A drive has neither objects nor a cache that the run could choose.
  const std::string object_size = common(series, [](const RunPlan& plan) {
    return plan.drive.any() ? std::string() : option_text(plan.pattern.object_size);
  });
  const std::string cache = common(series, [](const RunPlan& plan) {
    return plan.drive.any() ? std::string() : std::string(plan::name_of(plan.pattern.cache));
  });
  std::vector<std::string> parts;
  if (!size.empty() && size != "0") {
    parts.push_back(size + (object_size.empty() ? "" : " in objects of " + object_size));
  }
  if (!cache.empty()) parts.push_back("cache " + cache);
  const bool unverified =
      std::all_of(series.steps.begin(), series.steps.end(),
                  [](const SeriesStep& step) { return step.plan.pattern.verify == Verify::off; });
  if (unverified) parts.emplace_back("reads not verified");
  return joined(parts, ", ");
}

std::string length_text(const Series& series) {
  const std::string time =
      common(series, [](const RunPlan& plan) { return option_text(plan.extent.time); });
  std::string text = counted(series.done(), "step");
  if (!series.complete()) {
    text = fmt::format("{} of {}", grouped(series.done()), counted(series.steps.size(), "step"));
  }
  if (time.empty() || time == "0s") return text;
  const std::string warmup =
      common(series, [](const RunPlan& plan) { return plan::warmup_words(plan); });
  return text + fmt::format(", {} each after {}", time, warmup);
}

std::string head(const Series& series) {
  return printable(fmt::format("{}, series {}, {}", series.program, series.id, series.started)) +
         "\n\n" + line("where", place_of(series)) + line("cluster", cluster_text(series)) +
         line("series", series.title) + line("data", data_text(series)) +
         line("measured", length_text(series));
}

// ---- the table ----

// The cells of each step; all times of a column have the same unit.
class StepTable {
 public:
  explicit StepTable(const Series& series) : m_series(series), m_knees(knees_of(series)) {
    for (const SeriesStep& step : series.steps) {
      const Cell total = step.record ? record::total_of(step.record->kinds) : Cell();
      m_latencies.emplace_back(
          total, LatencyCells::Of::response,
          std::vector<record::Quantile>{record::p50, record::p99, record::p999});
      m_cpu_ns.push_back(step.record ? cpu_ns_of(*step.record, total) : 0);
    }
    m_unit = unit_of(m_latencies);
  }

  std::string above() const { return fmt::format("  Latency in {}, CPU/op in us:\n", m_unit.name); }

  // The given columns, followed by those of the figures.
  Table table(std::vector<Table::Column> columns) const {
    for (const char* const name :
         {"IOPS", "MiB/s", "mean", "p50", "p99", "p99.9", "max", "errors", "CPU/op"}) {
      columns.push_back({name});
    }
    if (any_knee()) columns.push_back({"", Align::left});
    return Table(std::move(columns));
  }

  void add(std::vector<std::string>& cells, std::size_t i) const {
    const SeriesStep& step = m_series.steps[i];
    if (step.record) {
      const RunRecord& record = *step.record;
      const Cell total = record::total_of(record.kinds);
      cells.push_back(rate_text(record::iops(record, total)));
      cells.push_back(rate_text(record::mib_per_s(record, total)));
      m_latencies[i].add_to(cells, m_unit);
      cells.push_back(grouped(total.failed()));
      cells.push_back(m_cpu_ns[i] > 0 ? in_unit(m_cpu_ns[i], {"us", ns_per_us}) : "-");
    } else {
      constexpr std::size_t figures = 9;
      cells.insert(cells.end(), figures, "-");
    }
    if (any_knee()) cells.emplace_back(is_knee(i) ? "<- knee" : "");
  }

 private:
  static double cpu_ns_of(const RunRecord& record, const Cell& total) {
    constexpr double ns_per_s = 1e9;
    if (total.finished.ops == 0) return 0;
    return (record.client.user_s + record.client.system_s) * ns_per_s /
           static_cast<double>(total.finished.ops);
  }
  bool any_knee() const {
    return std::any_of(m_knees.begin(), m_knees.end(),
                       [](const Knee& knee) { return !knee.highest; });
  }
  bool is_knee(std::size_t i) const {
    return std::any_of(m_knees.begin(), m_knees.end(),
                       [i](const Knee& knee) { return knee.step == i && !knee.highest; });
  }

  static constexpr double ns_per_us = 1e3;

  const Series& m_series;
  std::vector<Knee> m_knees;
  std::vector<LatencyCells> m_latencies;
  std::vector<double> m_cpu_ns;
  TimeUnit m_unit;
};

// A column for each of the settings.
std::string table_of_settings(const Series& series, const StepTable& steps) {
  std::vector<Table::Column> columns;
  for (const auto& [key, value] : series.steps.front().settings) {
    columns.push_back({key});
  }
  Table table = steps.table(columns);
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    std::vector<std::string> cells;
    for (const auto& [key, value] : series.steps[i].settings) cells.push_back(value);
    steps.add(cells, i);
    table.add(std::move(cells));
  }
  return table.text(indent);
}

// The names of the steps in one column, which is narrower than a column for each setting.
std::string table_of_names(const Series& series, const StepTable& steps) {
  Table table = steps.table({{"step", Align::left}});
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    std::vector<std::string> cells = {series.steps[i].name};
    steps.add(cells, i);
    table.add(std::move(cells));
  }
  return table.text(indent);
}

// For names that would make the table wider than a page: numbers, and a legend.
std::string table_of_numbers(const Series& series, const StepTable& steps) {
  Table table = steps.table({{"step"}});
  Table legend({{"step"}, {"", Align::left}});
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    std::vector<std::string> cells = {std::to_string(i + 1)};
    steps.add(cells, i);
    table.add(std::move(cells));
    legend.add({std::to_string(i + 1), series.steps[i].name});
  }
  return table.text(indent) + "\n" + legend.text(indent);
}

std::size_t widest_row(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    widest = std::max(widest, text_width(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return widest;
}

std::string table(const Series& series) {
  if (series.steps.empty()) return {};
  const StepTable steps(series);
  std::string text =
      series.suite.empty() ? table_of_settings(series, steps) : table_of_names(series, steps);
  if (widest_row(text) > page_width) text = table_of_names(series, steps);
  if (widest_row(text) > page_width) text = table_of_numbers(series, steps);
  return "\n" + steps.above() + text;
}

// ---- the foot: errors, the knee, warnings ----

std::string unfinished_text(const SeriesStep& step) {
  switch (step.state) {
    case StepState::interrupted:
      return fmt::format("{}: ended early by {} after {:.1f} s", step.name,
                         record::ended_by_name(step.record->ended_by),
                         seconds(step.record->measured));
    case StepState::failed:
      return fmt::format("{}: {}", step.name, step.reason.substr(0, step.reason.find('\n')));
    case StepState::begun:
      return step.name + ": begun, not finished";
    case StepState::missing:
    case StepState::done:
      break;
  }
  return {};
}

std::string missing_text(const Series& series) {
  std::vector<std::string> names;
  for (const SeriesStep& step : series.steps) {
    if (step.state == StepState::missing) names.push_back(step.name);
  }
  return joined(names, ", ");
}

// The same warning of several steps becomes one line that names the steps.
std::string warnings(const Series& series) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;
  for (const SeriesStep& step : series.steps) {
    if (!step.record) continue;
    for (const std::string& warning : step.record->warnings) {
      const auto same = std::find_if(found.begin(), found.end(),
                                     [&](const auto& known) { return known.first == warning; });
      if (same == found.end()) {
        found.emplace_back(warning, std::vector<std::string>{step.name});
      } else {
        same->second.push_back(step.name);
      }
    }
  }
  std::string text;
  for (const auto& [warning, steps] : found) {
    const bool all = steps.size() == series.steps.size();
    text += line("warning", all ? warning : fmt::format("{} ({})", warning, joined(steps, ", ")));
  }
  return text;
}

bool lacks_percentiles(const Series& series) {
  return std::any_of(series.steps.begin(), series.steps.end(), [](const SeriesStep& step) {
    if (!step.record) return false;
    const Cell total = record::total_of(step.record->kinds);
    const std::uint64_t ops = record::response_ranks(total).count();
    return ops > 0 && ops < record::operations_needed(record::p999);
  });
}

std::string foot(const Series& series, const std::string& saved_as) {
  std::string text = "\n";
  for (const SeriesStep& step : series.steps) {
    if (step.record) {
      const Cell total = record::total_of(step.record->kinds);
      if (!total.errors.empty()) {
        text += line("errors", fmt::format("{}: {}", step.name, errors_text(total.errors)));
      }
      if (const std::string lost = lost_operations(*step.record, total); !lost.empty()) {
        text += line("lost", fmt::format("{}: {}", step.name, lost));
      }
    }
    const bool failed = step.state == StepState::failed;
    text += line(failed ? "failed" : "early", unfinished_text(step));
  }
  for (const Knee& knee : knees_of(series)) text += line("knee", knee_text(series, knee));
  text += line("missing", missing_text(series)) + warnings(series);
  if (lacks_percentiles(series)) {
    text += line("note", too_few_text());
  }
  return text + line("saved", saved_as.empty() ? "no" : saved_as);
}

}  // namespace

std::string place_of(const Series& series) {
  return series.steps.empty() ? where_text({}, {}) : where_text(series.steps.front().plan, {});
}

std::string series_text(const Series& series, const std::string& saved_as) {
  std::string own;
  if (series.suite == kbench_name) own = "\n" + kbench_text(series);
  if (series.suite == record::drive_profile_suite) own = "\n" + drive_profile_text(series);
  if (series.suite == each_name) own = "\n" + each_text(series);
  return head(series) + own + table(series) + foot(series, saved_as);
}

}  // namespace radosload::report
