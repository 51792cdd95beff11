#include "plan/plan_codec.h"

#include <string>

#include "radosload/printable.h"

#include "plan/options.h"
#include "plan/pattern_keys.h"
#include "plan/validate.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::plan {

namespace {

using Json = nlohmann::ordered_json;

Error unreadable_plan(std::string reason) {
  return {.attempt = "read the recorded plan",
          .reason = std::move(reason),
          .hint = "another version of radosload may have written it",
          .exit = Exit::usage};
}

Json list_json(std::string_view text) {
  Json list = Json::array();
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    list.push_back(item);
    text.remove_prefix(std::min(item.size() + 1, text.size()));
  }
  return list;
}

Json value_json(const Option& option, const RunPlan& plan) {
  const auto text = option.get(plan);
  if (!text) return {};
  switch (option.form()) {
    case Form::number:
      return Json::parse(*text);
    case Form::flag:
      // One that may have a value: --destroy-data=SERIAL.
      if (*text != "yes" && *text != "no") return *text;
      return *text == "yes";
    case Form::list:
      return list_json(*text);
    case Form::text:
      break;
  }
  return *text;
}

// As the option takes it; nothing for what no option looks like.
std::optional<std::string> text_from(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return decimal_text(value.get<double>());
  if (value.is_number()) return value.dump();
  if (!value.is_array()) return std::nullopt;
  std::string list;
  for (const Json& item : value) {
    if (!item.is_string()) return std::nullopt;
    list += (list.empty() ? "" : ",") + item.get<std::string>();
  }
  return list;
}

Status check_keys(const Json& json) {
  if (!json.is_object()) return fail(unreadable_plan("it is not a JSON object"));
  for (const auto& [key, value] : json.items()) {
    const Option* const option = find_option(key);
    if (option != nullptr && option->recorded()) continue;
    return fail(unreadable_plan(fmt::format(
        "it has the option '{}', which this version of radosload does not have", printable(key))));
  }
  return {};
}

Status read_option(const Option& option, const Json& value, RunPlan& plan) {
  const auto text = text_from(value);
  if (!text)
    return fail(unreadable_plan(fmt::format("{} is {}", option.name, printable(value.dump()))));
  const Refusal wrong = option.access.set(plan, *text);
  if (wrong.empty()) return {};
  return fail(unreadable_plan(
      fmt::format("{} is '{}': {}", option.name, printable(*text), printable(wrong.reason))));
}

}  // namespace

Json plan_json(const RunPlan& plan) {
  Json json = Json::object();
  for (const Option& option : options()) {
    if (option.recorded()) json[std::string(option.name)] = value_json(option, plan);
  }
  return json;
}

Result<RunPlan> plan_from(const Json& json) {
  RADOSLOAD_TRY(check_keys(json));
  RunPlan plan;
  for (const Option& option : options()) {
    const auto value = json.find(std::string(option.name));
    if (!option.recorded() || value == json.end() || value->is_null()) continue;
    RADOSLOAD_TRY(read_option(option, *value, plan));
  }
  return plan;
}

Status check_runnable(const RunPlan& plan) {
  if (plan.pattern.name.empty()) return fail(unreadable_plan("it has no pattern"));
  if (auto sound = check(plan.pattern); !sound) return sound;
  return validate(plan);
}

}  // namespace radosload::plan
