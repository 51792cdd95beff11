#include "record/series.h"

#include <algorithm>
#include <array>

#include "plan/options.h"

#include <fmt/format.h>

namespace radosload::record {

namespace {

// By StepState.
constexpr std::array<std::string_view, 5> states = {"missing", "begun", "failed", "interrupted",
                                                    "done"};

tl::unexpected<Error> different(const Series& series, std::string reason) {
  return fail({.attempt = "resume series",
               .subject = series.id,
               .reason = std::move(reason),
               .hint = fmt::format("'radosload --resume {}' without other options continues the "
                                   "saved plan; leave out --resume to start a new series",
                                   series.id),
               .exit = Exit::usage});
}

std::string first_difference(const RunPlan& there, const RunPlan& here) {
  for (const plan::Option& option : plan::options()) {
    if (!option.recorded() || option.matters == plan::Matters::no) continue;
    if (option.matters == plan::Matters::as_drawn && here.seed == 0) continue;
    const auto was = option.get(there);
    const auto is = option.get(here);
    if (was == is) continue;
    const auto shown = [](const std::optional<std::string>& value) {
      return value.value_or("").empty() ? "not set" : *value;
    };
    return fmt::format("{} was {} and is now {}", option.name, shown(was), shown(is));
  }
  return {};
}

}  // namespace

std::string_view state_name(StepState state) {
  return states.at(static_cast<std::size_t>(state));
}

std::string SeriesStep::setting(std::string_view key) const {
  for (const auto& [known, value] : settings) {
    if (known == key) return value;
  }
  return {};
}

std::size_t Series::done() const {
  return static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(),
                    [](const SeriesStep& step) { return step.state == StepState::done; }));
}

Status check_same_plan(const Series& series, const std::vector<SeriesStep>& planned) {
  if (series.steps.size() != planned.size()) {
    return different(series, fmt::format("it has {} steps, but {} are requested now",
                                         series.steps.size(), planned.size()));
  }
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const SeriesStep& there = series.steps[i];
    const SeriesStep& here = planned[i];
    if (there.name != here.name || there.settings != here.settings) {
      return different(series, fmt::format("its step {} is {}, but {} is requested now", i + 1,
                                           there.name, here.name));
    }
    if (const auto difference = first_difference(there.plan, here.plan); !difference.empty()) {
      return different(series, difference);
    }
  }
  return {};
}

}  // namespace radosload::record
