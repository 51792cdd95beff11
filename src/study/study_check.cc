// A study as a whole: whether its arms, loads and metrics fit each other.
#include <algorithm>
#include <set>
#include <utility>

#include "radosload/printable.h"

#include "plan/options.h"
#include "plan/steps.h"
#include "study/arm_figures.h"
#include "study/study_file.h"
#include "study/study_words.h"
#include "study/study_yaml.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

// "yes" of --NAME, what stands after the sign of --NAME=VALUE.
std::string switch_value(const std::string& word) {
  const std::size_t sign = word.find('=');
  return sign == std::string::npos ? "yes" : word.substr(sign + 1);
}

Status set_in(plan::Request& request, std::set<std::string>& names,
              const std::vector<std::string>& words) {
  for (const auto& one : one_by_one(words)) {
    const plan::Option* option = plan::find_option(option_name(one.front()));
    for (const plan::Option& other : plan::options()) {
      if (option == nullptr && other.other == option_name(one.front())) option = &other;
    }
    if (option == nullptr) continue;  // a plan that no reader made
    const std::string value = one.size() > 1 ? one[1] : switch_value(one.front());
    names.emplace(option->name);
    if (!option->listed) {
      RADOSLOAD_TRY(plan::set_option(*option, request.plan, value));
      continue;
    }
    plan::Setting setting{std::string(option->name), value};
    if (!option->recorded()) setting = {std::string(option->short_for), "off"};
    const std::vector<plan::Setting> more = {std::move(setting)};
    request.options = plan::merge(std::move(request.options), more);
  }
  return {};
}

// The run of a cell, as far as no cluster is needed for it.
Status try_cell(const StudyPlan& plan, const Arm& arm, const Work& work) {
  plan::Request request;
  std::set<std::string> names;
  RADOSLOAD_TRY(set_in(request, names, plan.options));
  RADOSLOAD_TRY(set_in(request, names, arm.options));
  if (!names.contains("target")) request.plan.target = implied_target(request.plan);
  if (work.what == Work::What::timer) {
    if (request.plan.pins.any()) return {};
    return fail(
        {.reason = "a timer needs OSDs, and the arm names none", .hint = "add --osd to the arm"});
  }
  if (work.words.empty()) return fail({.reason = "the load has no pattern"});
  request.pattern = work.words.front();
  RADOSLOAD_TRY(set_in(request, names, {work.words.begin() + 1, work.words.end()}));
  const bool open = !plan.load.rate.empty() || plan.load.capacity_share > 0;
  if (open) {
    const bool twice = std::any_of(request.options.begin(), request.options.end(),
                                   [](const plan::Setting& one) { return one.key == "rate"; });
    if (twice) {
      return fail(
          {.reason = "both 'load' and --rate give a rate", .hint = "leave out one of them"});
    }
    request.options.push_back({"rate", plan.load.rate.empty() ? "100" : plan.load.rate});
  }
  RADOSLOAD_ASSIGN(const auto steps, plan::expand(request));
  if (steps.series()) return fail({.reason = "it is several runs", .hint = "use a sweep"});
  return {};
}

Status check_comparison(const StudyPlan& plan, const Reading& reading) {
  if (plan.arms.empty()) {
    return reading.refuse(0, "it has no arms",
                          "add 'arms: {NAME: OPTIONS}', or give --arm 'NAME=--pool P'");
  }
  const bool alone = plan.arms.size() == 1 && plan.phases.empty() && !plan.probe;
  if (alone) {
    return reading.refuse(0, "it has one arm, and nothing to compare it with",
                          "add a second arm, phases, or every and for");
  }
  if (plan.phases.size() == 1) {
    return reading.refuse(0, "it has one phase, and nothing to compare it with",
                          "write phases: [before, after]");
  }
  if (!plan.probe) return {};
  if (plan.probe->every <= Time{0} || plan.probe->for_time <= Time{0}) {
    return reading.refuse(0, "a probe needs both 'every' and 'for'",
                          "for example every: 5m and for: 24h");
  }
  if (plan.probe->for_time < plan.probe->every)
    return reading.refuse(0, "'for' is shorter than 'every'", "for example every: 5m and for: 24h");
  if (!plan.phases.empty())
    return reading.refuse(0, "it has phases and is a probe", "leave out phases, or every and for");
  return {};
}

// "NAME METRIC", or METRIC alone where there is one load.
Status check_primary(const StudyPlan& plan, const Reading& reading) {
  if (plan.primary.empty()) return {};
  const bool named = std::any_of(plan.works.begin(), plan.works.end(), [&](const Work& work) {
    return plan.primary.starts_with(work.name + " ");
  });
  if (named || (plan.works.size() == 1 && plan.primary.find(' ') == std::string::npos)) return {};
  return reading.refuse(
      0, fmt::format("primary: no load has the metric '{}'", printable(plan.primary)),
      fmt::format("write NAME METRIC, for example '{} IOPS'", printable(plan.works.front().name)));
}

}  // namespace

Status check_study(const StudyPlan& plan, const std::string& subject) {
  const Reading reading{.attempt = "use the study", .subject = printable(subject), .lines = false};
  RADOSLOAD_TRY(check_comparison(plan, reading));
  if (plan.works.empty()) {
    return reading.refuse(0, "it has no patterns and no timers",
                          "add 'patterns: [randwrite4k]', or 'timers: [bench]'");
  }
  RADOSLOAD_TRY(check_primary(plan, reading));
  for (const Arm& arm : plan.arms) {
    for (const Work& work : plan.works) {
      const auto fits = try_cell(plan, arm, work);
      if (fits) continue;
      return reading.pass_on(
          0, fmt::format("arm {}, {}", printable(arm.name), printable(work.name)), fits.error());
    }
  }
  return {};
}

}  // namespace radosload::study
