#include "views/patterns_json.h"

#include "plan/patterns.h"
#include "plan/plan_codec.h"
#include "plan/suites.h"
#include "views/json_values.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using Json = nlohmann::ordered_json;

// The settings have the types that they have in the plan of a record.
Json pattern_json(const Pattern& pattern) {
  const plan::NamedPattern& named = *plan::find_pattern(pattern.name);
  RunPlan plan;
  plan.pattern = pattern;
  const Json all = plan::plan_json(plan);
  Json settings = Json::object();
  for (const plan::Setting& setting : plan::describe(pattern)) {
    if (setting.key != "pattern") settings[setting.key] = all.at(setting.key);
  }
  return {{"name", pattern.name},
          {"summary", named.summary},
          {"detail", named.detail},
          {"settings", std::move(settings)}};
}

Json suite_json(const plan::Suite& suite) {
  Json json = {{"name", suite.name},
               {"summary", suite.summary},
               {"detail", suite.detail},
               {"time_s", seconds(suite.time)},
               {"warmup_s", seconds(suite.warmup)},
               {"steps", Json::array()}};
  for (const plan::SuiteStep& step : suite.steps) {
    Json place = Json::object();
    for (const plan::Setting& setting : step.place) place[setting.key] = setting.value;
    json["steps"].push_back({{"place", std::move(place)}, {"pattern", step.pattern}});
  }
  return json;
}

}  // namespace

Result<std::string> patterns_json(const std::string& name) {
  Json json = {{"schema", "radosload.patterns/1"},
               {"patterns", Json::array()},
               {"suites", Json::array()},
               {"keys", Json::array()}};
  if (const auto* const suite = plan::find_suite(name)) {
    json["suites"].push_back(suite_json(*suite));
    return json_text(json);
  }
  if (!name.empty()) {
    RADOSLOAD_ASSIGN(const auto pattern, plan::parse_pattern(name));
    json["patterns"].push_back(pattern_json(pattern));
    return json_text(json);
  }
  for (const auto& named : plan::catalogue()) {
    json["patterns"].push_back(pattern_json(named.defaults));
  }
  for (const auto& suite : plan::suites()) json["suites"].push_back(suite_json(suite));
  for (const auto& key : plan::pattern_keys()) {
    json["keys"].push_back({{"key", key.key}, {"values", key.values}, {"summary", key.summary}});
  }
  return json_text(json);
}

}  // namespace radosload::views
