#include "cli/commands/series_preview.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands/dry_run.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "plan/plan_codec.h"
#include "plan/warmup.h"
#include "prepare/preview.h"
#include "report/facts.h"
#include "report/layout.h"
#include "run/series.h"
#include "views/preview_text.h"
#include "views/space_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::cli {

namespace {

using report::indent;
using report::line;

// Steps with the same objects, and what is the same for them.
struct Group {
  prepare::Preview preview;
  std::vector<std::size_t> steps;
};

bool same_objects(const RunPlan& one, const RunPlan& other) {
  const Pattern& a = one.pattern;
  const Pattern& b = other.pattern;
  return one.pins.osds == other.pins.osds && one.pins.mode == other.pins.mode &&
         a.metadata == b.metadata && a.object_size == b.object_size &&
         a.working_set == b.working_set && a.objects == b.objects &&
         (!a.is_omap() || a.block_size == b.block_size);
}

Result<std::vector<Group>> groups_of(const record::Series& series) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const RunPlan& step = series.steps[i].plan;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return same_objects(series.steps[group.steps.front()].plan, step);
    });
    if (same != groups.end()) {
      same->steps.push_back(i);
      continue;
    }
    RADOSLOAD_ASSIGN(auto preview, prepare::preview(step, program_name));
    groups.push_back({std::move(preview), {i}});
  }
  return groups;
}

// Length of the steps that are still to run; nothing if one of them has no limit in time.
std::optional<Time> length_of(const record::Series& series) {
  Time sum{0};
  for (const record::SeriesStep& step : series.steps) {
    if (step.state == record::StepState::done) continue;
    const Time length = run::planned_length(step.plan);
    if (length == Time(0)) return std::nullopt;
    sum += length;
  }
  return sum;
}

std::string length_text(const record::Series& series) {
  const std::size_t missing = series.steps.size() - series.done();
  const auto length = length_of(series);
  if (!length) return report::counted(missing, "step");
  return fmt::format("{} in {}, plus the time for writing the objects", human_text(*length),
                     report::counted(missing, "step"));
}

std::string data_text(const record::Series& series, const Group& group, std::size_t groups) {
  const workload::Layout& layout = group.preview.layout;
  std::string text = report::counted(layout.objects, "object");
  if (layout.object_size.count > 0) {
    text = fmt::format("{} in {} of {}", human_text(layout.total()), text,
                       human_text(layout.object_size));
  }
  if (groups == 1) return text + fmt::format(", for all {} steps", series.steps.size());
  std::vector<std::string> numbers;
  for (const std::size_t step : group.steps) numbers.push_back(std::to_string(step + 1));
  return text + fmt::format(", for {} {}", numbers.size() == 1 ? "step" : "steps",
                            report::joined(numbers, ", "));
}

std::string steps_table(const record::Series& series) {
  report::Table table({{"step"},
                       {"", report::Align::left},
                       {"pattern", report::Align::left},
                       {"qd"},
                       {"warm-up"},
                       {"measured"}});
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const record::SeriesStep& step = series.steps[i];
    record::RunRecord planned;
    planned.header.plan = step.plan;
    const RunPlan& run = step.plan;
    const std::string time = run.extent.time > Time(0) ? option_text(run.extent.time) : "-";
    table.add({std::to_string(i + 1), step.name, report::pattern_text(planned),
               std::to_string(run.pattern.queue_depth), plan::warmup_value(run),
               step.state == record::StepState::done ? "done" : time});
  }
  return table.text(indent);
}

std::vector<std::string> warnings_of(const std::vector<Group>& groups) {
  std::vector<std::string> warnings;
  for (const Group& group : groups) {
    for (const std::string& warning : group.preview.warnings) {
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
        warnings.push_back(warning);
      }
    }
  }
  return warnings;
}

std::string text_of(const record::Series& series, const std::vector<Group>& groups) {
  record::RunRecord first;
  first.header = groups.front().preview.header;
  std::string text = "What the series would do (nothing has been written):\n\n";
  text += line("where", report::where_text(first)) +
          line("cluster", first.header.environment.fsid) + line("series", series.title) +
          line("takes", length_text(series));
  for (const Group& group : groups) text += line("data", data_text(series, group, groups.size()));
  for (const std::string& warning : warnings_of(groups)) text += line("warning", warning);
  text += "\n" + steps_table(series);
  // The most that lies on the OSDs at a time, unless steps of other objects follow each other.
  const auto largest =
      std::max_element(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
        return a.preview.layout.total() < b.preview.layout.total();
      });
  if (largest->preview.space) text += "\n" + views::space_text(*largest->preview.space);
  return text;
}

std::string json_of(const record::Series& series, const std::vector<Group>& groups) {
  using Json = nlohmann::ordered_json;
  const auto length = length_of(series);
  Json json = {{"schema", "radosload.series-preview/1"},
               {"title", series.title},
               {"suite", series.suite},
               {"length_s", length ? Json(seconds(*length)) : Json()},
               {"steps", Json::array()},
               {"previews", Json::array()}};
  for (const record::SeriesStep& step : series.steps) {
    Json settings = Json::object();
    for (const auto& [key, value] : step.settings) settings[key] = value;
    json["steps"].push_back({{"name", step.name},
                             {"settings", settings},
                             {"state", record::state_name(step.state)},
                             {"plan", plan::plan_json(step.plan)}});
  }
  for (const Group& group : groups) {
    Json preview = Json::parse(views::preview_json(group.preview));
    preview["steps"] = group.steps;
    json["previews"].push_back(std::move(preview));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Result<Exit> preview_series(const record::Series& series, const std::string& format) {
  RADOSLOAD_TRY(check_preview_format(format));
  RADOSLOAD_ASSIGN(const auto groups, groups_of(series));
  const Exit exit =
      print_result(format == "json" ? json_of(series, groups) : text_of(series, groups));
  for (const Group& group : groups) {
    if (group.preview.refusal) return fail(*group.preview.refusal);
  }
  return exit;
}

}  // namespace radosload::cli
