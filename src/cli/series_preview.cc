#include "cli/series_preview.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cli/output.h"
#include "cli/run_words.h"
#include "prepare/preview.h"
#include "report/facts.h"
#include "report/layout.h"
#include "views/preview_text.h"
#include "views/space_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::cli {

namespace {

using report::indent;
using report::line;

// What is the same for every step with the same objects.
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

Result<std::vector<Group>> groups_of(const run::SeriesPlan& plan) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < plan.plans.size(); ++i) {
    const RunPlan& step = plan.plans[i];
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return same_objects(plan.plans[group.steps.front()], step);
    });
    if (same != groups.end()) {
      same->steps.push_back(i);
      continue;
    }
    auto preview = prepare::preview(step, program_name);
    if (!preview) return fail(std::move(preview).error());
    groups.push_back({*std::move(preview), {i}});
  }
  return groups;
}

bool done(const run::SeriesPlan& plan, std::size_t step) {
  return plan.series.steps[step].state == record::StepState::done;
}

// Of what is still to be run; nothing when a step has no end in time.
std::optional<Time> length_of(const run::SeriesPlan& plan) {
  Time sum{0};
  for (std::size_t i = 0; i < plan.plans.size(); ++i) {
    if (done(plan, i)) continue;
    const Time length = run::planned_length(plan.plans[i]);
    if (length == Time(0)) return std::nullopt;
    sum += length;
  }
  return sum;
}

std::string length_text(const run::SeriesPlan& plan) {
  const std::size_t missing = plan.series.steps.size() - plan.series.done();
  const auto length = length_of(plan);
  if (!length) return report::counted(missing, "step");
  return fmt::format("{} in {}, and what prefill takes", human_text(*length),
                     report::counted(missing, "step"));
}

std::string data_text(const run::SeriesPlan& plan, const Group& group, std::size_t groups) {
  const workload::Layout& layout = group.preview.layout;
  std::string text = report::counted(layout.objects, "object");
  if (layout.object_size.count > 0) {
    text = fmt::format("{} in {} of {}", human_text(layout.total()), text,
                       human_text(layout.object_size));
  }
  if (groups == 1) return text + fmt::format(", for all {} steps", plan.plans.size());
  std::vector<std::string> numbers;
  for (const std::size_t step : group.steps) numbers.push_back(std::to_string(step + 1));
  return text + fmt::format(", for {} {}", numbers.size() == 1 ? "step" : "steps",
                            report::joined(numbers, ", "));
}

std::string steps_table(const run::SeriesPlan& plan) {
  report::Table table({{"step"},
                       {"", report::Align::left},
                       {"pattern", report::Align::left},
                       {"qd"},
                       {"warm-up"},
                       {"measured"}});
  for (std::size_t i = 0; i < plan.plans.size(); ++i) {
    record::RunRecord planned;
    planned.header.plan = plan.series.steps[i].plan;
    const RunPlan& run = plan.plans[i];
    const std::string time = run.extent.time > Time(0) ? option_text(run.extent.time) : "-";
    table.add({std::to_string(i + 1), plan.series.steps[i].name, report::pattern_text(planned),
               std::to_string(run.pattern.queue_depth), option_text(run.warmup),
               done(plan, i) ? "done" : time});
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

std::string text_of(const run::SeriesPlan& plan, const std::vector<Group>& groups) {
  record::RunRecord first;
  first.header = groups.front().preview.header;
  std::string text = "What the series would do; nothing has been written.\n\n";
  text += line("where", report::where_text(first)) +
          line("cluster", first.header.environment.fsid) + line("series", plan.series.title) +
          line("takes", length_text(plan));
  for (const Group& group : groups) text += line("data", data_text(plan, group, groups.size()));
  for (const std::string& warning : warnings_of(groups)) text += line("warning", warning);
  text += "\n" + steps_table(plan);
  // The most that lies on the OSDs at a time, unless steps of other objects follow each other.
  const auto largest =
      std::max_element(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
        return a.preview.layout.total() < b.preview.layout.total();
      });
  if (largest->preview.space) text += "\n" + views::space_text(*largest->preview.space);
  return text;
}

std::string json_of(const run::SeriesPlan& plan, const std::vector<Group>& groups) {
  using Json = nlohmann::ordered_json;
  const auto length = length_of(plan);
  Json json = {{"schema", "radosload.series-preview/1"},
               {"title", plan.series.title},
               {"suite", plan.series.suite},
               {"length_s", length ? Json(seconds(*length)) : Json()},
               {"steps", Json::array()},
               {"previews", Json::array()}};
  for (const record::SeriesStep& step : plan.series.steps) {
    Json settings = Json::object();
    for (const auto& [key, value] : step.settings) settings[key] = value;
    json["steps"].push_back({{"name", step.name},
                             {"settings", settings},
                             {"state", record::state_name(step.state)},
                             {"plan", Json::parse(step.plan.text())}});
  }
  for (const Group& group : groups) {
    Json preview = Json::parse(views::preview_json(group.preview));
    preview["steps"] = group.steps;
    json["previews"].push_back(std::move(preview));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Result<Exit> preview_series(const run::SeriesPlan& plan, const std::string& format) {
  const auto groups = groups_of(plan);
  if (!groups) return fail(groups.error());
  const Exit exit =
      print_result(format == "json" ? json_of(plan, *groups) : text_of(plan, *groups));
  for (const Group& group : *groups) {
    if (group.preview.refusal) return fail(*group.preview.refusal);
  }
  return exit;
}

}  // namespace radosload::cli
