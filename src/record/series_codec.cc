#include <array>

#include "record/codec.h"
#include "record/drive_profile.h"
#include "record/series.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::record {

using codec::Json;

namespace {

StepState state_from(const std::string& name) {
  for (const auto state : {StepState::missing, StepState::begun, StepState::failed,
                           StepState::interrupted, StepState::done}) {
    if (state_name(state) == name) return state;
  }
  codec::refuse(fmt::format("'{}' is not the state of a step", name));
}

Json step_json(const SeriesStep& step) {
  Json settings = Json::object();
  for (const auto& [key, value] : step.settings) settings[key] = value;
  return {{"name", step.name},
          {"settings", settings},
          {"state", state_name(step.state)},
          {"reason", step.reason},
          {"plan", codec::plan_json(step.plan)},
          {"record", step.record ? codec::record_json(*step.record) : Json()}};
}

SeriesStep step_from(const Json& json) {
  SeriesStep step{.name = codec::string_at(json, "name"),
                  .settings = {},
                  .plan = codec::plan_from(json.at("plan")),
                  .state = state_from(codec::string_at(json, "state")),
                  .reason = codec::string_at(json, "reason"),
                  .record = {}};
  for (const auto& [key, value] : json.at("settings").items()) {
    step.settings.emplace_back(key, value.get<std::string>());
  }
  if (!json.at("record").is_null()) step.record = codec::record_from(json.at("record"));
  const bool measured = step.state == StepState::done || step.state == StepState::interrupted;
  if (measured != step.record.has_value()) {
    codec::refuse(fmt::format("step {} is {}, but its record contradicts this", step.name,
                              state_name(step.state)));
  }
  return step;
}

Json or_null(const std::optional<double>& figure) {
  return figure ? Json(*figure) : Json();
}

// Calculated from the steps, for readers of the document; it is not read back.
Json drive_profile_json(const DriveProfile& profile) {
  return {{"read_mib_per_s", or_null(profile.read_mib_per_s)},
          {"write_mib_per_s", or_null(profile.write_mib_per_s)},
          {"read_us", or_null(profile.read_us)},
          {"write_us", or_null(profile.write_us)},
          {"read_iops", or_null(profile.read_iops)},
          {"write_iops", or_null(profile.write_iops)},
          {"mixed_read_p99_us", or_null(profile.mixed_read_p99_us)},
          {"durable_us", or_null(profile.durable_us)},
          {"durable_p99_us", or_null(profile.durable_p99_us)},
          {"durable_iops", or_null(profile.durable_iops)},
          {"durable_iops_16", or_null(profile.durable_iops_16)},
          {"wal", worth_name(profile.wal)},
          {"mclock_iops", or_null(profile.mclock_iops)},
          {"mclock_options", profile.mclock_options}};
}

// A table has the same columns in every row.
void check_settings(const Series& series) {
  if (series.steps.empty()) codec::refuse("it has no steps");
  const auto keys = [](const SeriesStep& step) {
    std::vector<std::string> names;
    for (const auto& [key, value] : step.settings) names.push_back(key);
    return names;
  };
  for (const SeriesStep& step : series.steps) {
    if (keys(step) != keys(series.steps.front())) {
      codec::refuse(fmt::format("step {} has other settings than the first step", step.name));
    }
  }
}

Series series_from(const Json& json) {
  if (codec::string_at(json, "schema") != series_schema) {
    codec::refuse(fmt::format("its schema is not {}", series_schema));
  }
  Series series{.id = codec::string_at(json, "series_id"),
                .started = codec::string_at(json, "started"),
                .program = codec::string_at(json, "program"),
                .title = codec::string_at(json, "title"),
                .suite = codec::string_at(json, "suite"),
                .steps = {}};
  for (const Json& step : json.at("steps")) series.steps.push_back(step_from(step));
  check_settings(series);
  return series;
}

}  // namespace

std::string to_json(const Series& series) {
  Json json = {{"schema", series_schema},
               {"series_id", series.id},
               {"started", series.started},
               {"program", series.program},
               {"title", series.title},
               {"suite", series.suite},
               {"status", series.complete() ? "complete" : "incomplete"},
               {"steps_done", series.done()},
               {"steps", Json::array()}};
  for (const SeriesStep& step : series.steps) json["steps"].push_back(step_json(step));
  if (series.suite == drive_profile_suite) {
    json["drive_profile"] = drive_profile_json(drive_profile_of(series));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Series> series_from_json(std::string_view text, const std::string& subject) {
  try {
    return series_from(codec::parsed(text));
  } catch (const std::exception& error) {
    return fail({.attempt = "read the series",
                 .subject = subject,
                 .reason = error.what(),
                 .hint = "give a file that a sweep or a suite of radosload saved"});
  }
}

}  // namespace radosload::record
