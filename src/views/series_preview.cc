#include "views/series_preview.h"

#include <algorithm>
#include <vector>

#include "plan/plan_codec.h"
#include "plan/warmup.h"
#include "report/facts.h"
#include "report/layout.h"
#include "views/preview_text.h"
#include "views/space_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using prepare::StepsPreview;
using report::indent;
using report::line;

std::string length_text(const SeriesPreview& shown) {
  const std::size_t missing = shown.series.steps.size() - shown.series.done();
  if (!shown.length) return report::counted(missing, "step");
  return fmt::format("{} in {}, plus the time for writing the objects", human_text(*shown.length),
                     report::counted(missing, "step"));
}

std::string data_text(const record::Series& series, const StepsPreview& group, std::size_t groups) {
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
    const RunPlan& run = step.plan;
    const std::string time = run.extent.time > Time(0) ? option_text(run.extent.time) : "-";
    table.add({std::to_string(i + 1), step.name, report::pattern_text(step.plan),
               std::to_string(run.pattern.queue_depth), plan::warmup_value(run),
               step.state == record::StepState::done ? "done" : time});
  }
  return table.text(indent);
}

std::vector<std::string> warnings_of(const std::vector<StepsPreview>& groups) {
  std::vector<std::string> warnings;
  for (const StepsPreview& group : groups) {
    for (const std::string& warning : group.preview.warnings) {
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
        warnings.push_back(warning);
      }
    }
  }
  return warnings;
}

}  // namespace

std::string series_preview_text(const SeriesPreview& shown) {
  const record::Series& series = shown.series;
  const std::vector<StepsPreview>& groups = shown.groups;
  const record::RunHeader& first = groups.front().preview.header;
  std::string text = "What the series would do (nothing has been written):\n\n";
  text += line("where", report::where_text(first.plan, first.environment)) +
          line("cluster", first.environment.fsid) + line("series", series.title) +
          line("takes", length_text(shown));
  for (const StepsPreview& group : groups)
    text += line("data", data_text(series, group, groups.size()));
  for (const std::string& warning : warnings_of(groups)) text += line("warning", warning);
  text += "\n" + steps_table(series);
  // The most that lies on the OSDs at a time, unless steps of other objects follow each other.
  const auto largest = std::max_element(
      groups.begin(), groups.end(), [](const StepsPreview& a, const StepsPreview& b) {
        return a.preview.layout.total() < b.preview.layout.total();
      });
  if (largest->preview.space) text += "\n" + space_text(*largest->preview.space);
  return text;
}

std::string series_preview_json(const SeriesPreview& shown) {
  using Json = nlohmann::ordered_json;
  const record::Series& series = shown.series;
  const auto& length = shown.length;
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
  for (const StepsPreview& group : shown.groups) {
    Json preview = Json::parse(preview_json(group.preview));
    preview["steps"] = group.steps;
    json["previews"].push_back(std::move(preview));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace radosload::views
