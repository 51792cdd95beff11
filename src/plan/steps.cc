#include "plan/steps.h"

#include <algorithm>

#include "plan/options.h"
#include "plan/suites.h"
#include "plan/validate.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

constexpr std::string_view name_key = "pattern";
constexpr std::string_view rate_key = "rate";

// A key with all its values: one, or the parts of a list.
struct Axis {
  std::string key;
  std::vector<std::string> values;
};

tl::unexpected<Error> refused(std::string subject, std::string reason, std::string hint = {}) {
  return fail({.attempt = "use",
               .subject = std::move(subject),
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

// An option that may be a list, and no key of the pattern: --rate, --clients.
bool is_beside_pattern(std::string_view key) {
  const Option* const option = find_option(key);
  return option != nullptr && option->listed && option->group == Group::pace;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':')) {
    parts.emplace_back(text.substr(0, colon));
    text.remove_prefix(colon + 1);
  }
  parts.emplace_back(text);
  return parts;
}

// In 100:200,poisson the law holds for every rate of the list.
void spread_law(std::vector<std::string>& rates) {
  const std::size_t comma = rates.back().find(',');
  if (comma == std::string::npos) return;
  const std::string law = rates.back().substr(comma);
  for (std::string& rate : rates) {
    if (rate.find(',') == std::string::npos) rate += law;
  }
}

Result<Axis> axis_of(const Setting& setting) {
  Axis axis{.key = setting.key, .values = {setting.value}};
  if (!takes_list(setting.key)) return axis;
  axis.values = parts_of(setting.value);
  if (setting.key == rate_key) spread_law(axis.values);
  for (auto value = axis.values.begin(); value != axis.values.end(); ++value) {
    if (axis.values.size() > 1 && value->empty()) {
      return refused(fmt::format("{}={}", setting.key, setting.value),
                     "a value of the list is empty", "write lists as 1:4:16");
    }
    if (std::find(axis.values.begin(), value, *value) != value) {
      return refused(fmt::format("{}={}", setting.key, setting.value),
                     fmt::format("{} is in the list twice", *value), "name each value once");
    }
  }
  return axis;
}

// The pattern's name, its keys and the options, lists taken apart.
Result<std::vector<Axis>> axes_of(const Request& request) {
  RADOSLOAD_ASSIGN(auto words, split_pattern(request.pattern));
  for (const Setting& setting : words.settings) {
    // Options that are not keys of patterns are refused like any other unknown key.
    if (setting.key != name_key && !is_beside_pattern(setting.key)) continue;
    Pattern none;
    RADOSLOAD_TRY(apply(none, setting.key, setting.value));
  }
  std::vector<Setting> settings = {{std::string(name_key), words.name}};
  for (Setting& setting : merge(std::move(words.settings), request.options)) {
    settings.push_back(std::move(setting));
  }
  std::vector<Axis> axes;
  for (const Setting& setting : settings) {
    RADOSLOAD_ASSIGN(auto axis, axis_of(setting));
    axes.push_back(std::move(axis));
  }
  return axes;
}

// One run: every setting has one value.
Result<RunPlan> plan_of(const Request& request, const std::vector<Setting>& settings) {
  RunPlan plan = request.plan;
  std::string name;
  std::vector<Setting> keys;
  bool names_depth = false;
  for (const Setting& setting : settings) {
    if (setting.key == name_key) {
      name = setting.value;
    } else if (is_beside_pattern(setting.key)) {
      RADOSLOAD_TRY(set_option(*find_option(setting.key), plan, setting.value));
    } else {
      names_depth = names_depth || setting.key == "qd";
      plan.size_named = plan.size_named || setting.key == "size";
      plan.object_size_named = plan.object_size_named || setting.key == "object-size";
      keys.push_back(setting);
    }
  }
  RADOSLOAD_ASSIGN(plan.pattern, parse_pattern(name, keys));
  if (plan.arrival.law != Arrival::Law::closed && !names_depth) {
    plan.pattern.queue_depth = default_open_depth(plan.pattern.block_size);
  }
  RADOSLOAD_TRY(validate(plan));
  return plan;
}

std::string step_name(const std::vector<Setting>& settings) {
  std::string name;
  for (const Setting& setting : settings) {
    const std::string_view before = name.empty() ? "" : " ";
    name += setting.key == name_key ? fmt::format("{}{}", before, setting.value)
                                    : fmt::format("{}{}={}", before, setting.key, setting.value);
  }
  return name;
}

// The values that stand at place `number` of the product; the last axis changes fastest.
std::vector<Setting> combination(const std::vector<Axis>& axes, std::size_t number) {
  std::vector<Setting> settings(axes.size());
  for (std::size_t i = axes.size(); i-- > 0;) {
    const std::vector<std::string>& values = axes[i].values;
    settings[i] = {axes[i].key, values[number % values.size()]};
    number /= values.size();
  }
  return settings;
}

Error in_step(Error error, const Step& step) {
  if (!step.name.empty()) {
    error.reason += fmt::format("{}(in the step {})", error.reason.empty() ? "" : " ", step.name);
  }
  // "fio:randrw" may not have been meant as two patterns.
  const bool of_list = !step.settings.empty() && step.settings.front().key == name_key;
  if (of_list && find_pattern(step.settings.front().value) == nullptr) {
    error.hint = "a colon separates the patterns of a list, as in read4k:write4k\n  " + error.hint;
  }
  return error;
}

Result<std::vector<Step>> product(const Request& request, const std::vector<Axis>& axes) {
  std::size_t count = 1;
  for (const Axis& axis : axes) {
    count *= axis.values.size();
    if (count > most_steps) {
      return fail({.attempt = "plan the series",
                   .reason = fmt::format("its lists make more than {} runs, the limit", most_steps),
                   .hint = "leave out values, or split it into several series",
                   .exit = Exit::usage});
    }
  }
  std::vector<Step> steps;
  for (std::size_t number = 0; number < count; ++number) {
    const std::vector<Setting> settings = combination(axes, number);
    Step step;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].values.size() > 1) step.settings.push_back(settings[i]);
    }
    step.name = step_name(step.settings);
    auto plan = plan_of(request, settings);
    if (!plan) return fail(in_step(std::move(plan).error(), step));
    step.plan = *std::move(plan);
    steps.push_back(std::move(step));
  }
  return steps;
}

// ---- suites ----

// What a suite sets itself cannot be set by the user: the figures would no longer be the suite's.
Status check_suite_options(const Suite& suite, const std::vector<Setting>& options) {
  for (const Setting& option : options) {
    const std::string word = fmt::format("{}={}", option.key, option.value);
    if (option.key == rate_key || option.key == "access") {
      return refused(word, fmt::format("the suite {} sets {} itself", suite.name, option.key),
                     "leave it out, or run a pattern of your own");
    }
    if (takes_list(option.key) && option.value.find(':') != std::string::npos) {
      return refused(word, fmt::format("the suite {} takes no lists of values", suite.name),
                     "run it once for each value");
    }
    for (const SuiteStep& step : suite.steps) {
      RADOSLOAD_ASSIGN(const auto own, split_pattern(step.pattern));
      const auto same = [&](const Setting& setting) { return setting.key == option.key; };
      if (std::any_of(own.settings.begin(), own.settings.end(), same)) {
        return refused(word, fmt::format("the suite {} sets {} itself", suite.name, option.key),
                       "leave it out, or run a sweep: --pattern rand,bs=4k:128k,qd=1:64");
      }
    }
  }
  return {};
}

Result<std::vector<Step>> suite_steps(const Suite& suite, const Request& given,
                                      const std::vector<Setting>& options) {
  if (suite.for_drives && !given.plan.drive.any()) {
    return refused(std::string(suite.name), "it measures a drive itself, and --drive is missing",
                   "add --drive /dev/NAME with --destroy-data=SERIAL, or --drive FILE with "
                   "--create SIZE");
  }
  RADOSLOAD_TRY(check_suite_options(suite, options));
  Request request = given;
  if (!request.names_time) request.plan.extent = {.time = suite.time, .ops = 0, .bytes = {}};
  if (!request.names_warmup) request.plan.warmup = suite.warmup;
  request.options = options;
  std::vector<Step> steps;
  for (const SuiteStep& part : suite.steps) {
    request.pattern = part.pattern;
    RADOSLOAD_ASSIGN(const auto axes, axes_of(request));
    auto single = product(request, axes);
    Step step;
    if (single) step = std::move(single->front());
    step.settings = part.place;
    for (const Setting& place : part.place) {
      step.name += fmt::format("{}{}", step.name.empty() ? "" : " ", place.value);
    }
    if (!single) return fail(in_step(std::move(single).error(), step));
    steps.push_back(std::move(step));
  }
  return steps;
}

std::string title_of(const Request& request) {
  std::string title = request.pattern;
  for (const Setting& option : request.options) {
    title += fmt::format(" --{} {}", option.key, option.value);
  }
  return title;
}

}  // namespace

bool takes_list(std::string_view key) {
  // zipf:1.1 is one value.
  return key != "dist";
}

Result<Steps> expand(const Request& request) {
  if (request.pattern.empty()) {
    return fail({.attempt = "plan the run",
                 .reason = "--pattern is missing",
                 .hint = "for example --pattern randrw4k; 'radosload patterns' lists all of them",
                 .exit = Exit::usage});
  }
  Steps result{.title = title_of(request), .suite = {}, .steps = {}};
  const std::string name = request.pattern.substr(0, request.pattern.find(','));
  const auto steps = [&]() -> Result<std::vector<Step>> {
    if (const Suite* const suite = find_suite(name)) {
      result.suite = name;
      RADOSLOAD_ASSIGN(const auto words, split_pattern(request.pattern));
      return suite_steps(*suite, request, merge(words.settings, request.options));
    }
    RADOSLOAD_ASSIGN(const auto axes, axes_of(request));
    return product(request, axes);
  }();
  if (!steps) return fail(steps.error());
  result.steps = *steps;
  return result;
}

}  // namespace radosload::plan
