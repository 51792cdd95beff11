#include "record/series.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

namespace radosload::record {

namespace {

// By StepState.
constexpr std::array<std::string_view, 5> states = {"missing", "begun", "failed", "interrupted",
                                                    "done"};

tl::unexpected<Error> different(const Series& series, std::string reason) {
  return fail({.attempt = "go on with series",
               .subject = series.id,
               .reason = std::move(reason),
               .hint = fmt::format("'radosload --resume {}' alone goes on with its own plan; "
                                   "without --resume a new series begins",
                                   series.id),
               .exit = Exit::usage});
}

// What may be different when a series is taken up again.
bool may_differ(std::string_view option) {
  constexpr std::array<std::string_view, 11> names = {
      "conf", "name",  "cluster",         "keyring",      "mon-host",    "timeout",
      "keep", "reuse", "allow-unhealthy", "push-through", "prefill-rate"};
  return std::find(names.begin(), names.end(), option) != names.end();
}

std::string first_difference(const JsonText& one, const JsonText& other) {
  auto there = one.leaves();
  auto here = other.leaves();
  std::set<std::string> options;
  for (const auto& [option, value] : there) options.insert(option);
  for (const auto& [option, value] : here) options.insert(option);
  for (const std::string& option : options) {
    if (may_differ(option) || there[option] == here[option]) continue;
    if (option == "seed" && here[option] == "0") continue;
    const auto shown = [](const std::string& value) { return value.empty() ? "nothing" : value; };
    return fmt::format("{} was {}, and is {} now", option, shown(there[option]),
                       shown(here[option]));
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
    return different(series, fmt::format("it has {} steps, and {} are planned now",
                                         series.steps.size(), planned.size()));
  }
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const SeriesStep& there = series.steps[i];
    const SeriesStep& here = planned[i];
    if (there.name != here.name || there.settings != here.settings) {
      return different(series, fmt::format("its step {} is {}, and {} is planned now", i + 1,
                                           there.name, here.name));
    }
    if (const auto difference = first_difference(there.plan, here.plan); !difference.empty()) {
      return different(series, difference);
    }
  }
  return {};
}

}  // namespace radosload::record
