#include "record/codec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "radosload/outcome.h"

#include "base/json_reading.h"
#include "plan/plan_codec.h"
#include "record/hdr_codec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::record::codec {

void refuse(const std::string& what) {
  throw ShapeError(what);
}

std::string reason_of(const std::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("] ");
  const bool prefixed = text.starts_with("[json.exception.") && end != std::string::npos;
  return prefixed ? text.substr(end + 2) : text;
}

Json parsed(std::string_view text) {
  auto json = read_ordered_json(text);
  if (!json) refuse(json.error().reason);
  return *std::move(json);
}

std::uint64_t count_at(const Json& object, const char* key) {
  const Json& value = object.at(key);
  if (!value.is_number_unsigned()) refuse(fmt::format("'{}' is not a count", key));
  return value.get<std::uint64_t>();
}

std::int64_t integer_at(const Json& object, const char* key) {
  const Json& value = object.at(key);
  if (!value.is_number_integer()) refuse(fmt::format("'{}' is not an integer", key));
  return value.get<std::int64_t>();
}

std::string string_at(const Json& object, const char* key) {
  return object.at(key).get<std::string>();
}

bool bool_at(const Json& object, const char* key) {
  return object.at(key).get<bool>();
}

double number_at(const Json& object, const char* key) {
  const Json& value = object.at(key);
  if (!value.is_number()) refuse(fmt::format("'{}' is not a number", key));
  return value.get<double>();
}

Json flow_json(const Flow& flow) {
  return {{"submitted", flow.submitted},
          {"completed", flow.completed},
          {"failed", flow.failed},
          {"cancelled", flow.cancelled}};
}

Flow flow_from(const Json& json) {
  return {.submitted = count_at(json, "submitted"),
          .completed = count_at(json, "completed"),
          .failed = count_at(json, "failed"),
          .cancelled = count_at(json, "cancelled")};
}

Json amount_json(const Amount& amount) {
  return {{"ops", amount.ops}, {"bytes", amount.bytes}};
}

Amount amount_from(const Json& object, const char* key, const Amount& otherwise) {
  if (!object.contains(key)) return otherwise;
  const Json& json = object.at(key);
  return {.ops = count_at(json, "ops"), .bytes = count_at(json, "bytes")};
}

Json errors_json(const std::vector<ErrorCount>& errors) {
  Json json = Json::object();
  for (const ErrorCount& error : errors) json[rc_name(error.rc)] = error.count;
  return json;
}

std::vector<ErrorCount> errors_from(const Json& json) {
  std::vector<ErrorCount> errors;
  for (const auto& [name, unused] : json.items()) {
    add_error(errors, rc_from_name(name), count_at(json, name.c_str()));
  }
  return errors;
}

std::int32_t rc_from_name(std::string_view name) {
  // The kernel's errnos end at 4095 (MAX_ERRNO), and radosload's codes are below that.
  constexpr std::int32_t last = 4095;
  for (std::int32_t rc = -1; rc >= -last; --rc) {
    if (rc_name(rc) == name) return rc;
  }
  std::int32_t number = 0;
  constexpr std::string_view prefix = "errno ";
  if (name.starts_with(prefix)) {
    const std::string_view digits = name.substr(prefix.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc() && end == digits.data() + digits.size() && number > 0) return -number;
  }
  refuse(fmt::format("'{}' is not the name of an error", name));
}

namespace {

void put_histogram(Json& json, const char* name, const Histogram& histogram) {
  json[name] = encode_hdr(histogram);
  json[std::string(name) + "_ns"] = {
      {"sum", histogram.sum()}, {"min", histogram.min()}, {"max", histogram.max()}};
}

Histogram histogram_from(const Json& json, const char* name) {
  auto histogram = decode_hdr(string_at(json, name));
  if (!histogram) refuse(histogram.error().message());
  const Json& exact = json.at(std::string(name) + "_ns");
  if (!histogram->set_exact(count_at(exact, "min"), count_at(exact, "max"),
                            count_at(exact, "sum"))) {
    refuse(fmt::format("minimum and maximum of '{}' contradict its buckets", name));
  }
  return std::move(*histogram);
}

Json latency_json(const Latency& latency) {
  Json json = Json::object();
  put_histogram(json, "service", latency.service());
  if (latency.differ()) put_histogram(json, "response", latency.response());
  return json;
}

Latency latency_from(const Json& json) {
  Histogram service = histogram_from(json, "service");
  Histogram response = json.contains("response") ? histogram_from(json, "response") : service;
  Latency latency;
  if (!Latency::assemble(std::move(service), std::move(response), latency)) {
    refuse("service and response times count different numbers of operations");
  }
  return latency;
}

}  // namespace

void put_lateness(Json& json, const Histogram& lateness) {
  if (!lateness.empty()) put_histogram(json, "lateness", lateness);
}

Histogram lateness_from(const Json& json) {
  return json.contains("lateness") ? histogram_from(json, "lateness") : Histogram();
}

Json cell_histograms_json(const Cell& cell) {
  Json json = latency_json(cell.latency);
  if (!cell.lost.service.empty()) put_histogram(json, "lost_service", cell.lost.service);
  if (!cell.lost.response.empty()) put_histogram(json, "lost_response", cell.lost.response);
  return json;
}

void cell_histograms_from(const Json& json, Cell& cell) {
  cell.latency = latency_from(json);
  if (json.contains("lost_service")) cell.lost.service = histogram_from(json, "lost_service");
  if (json.contains("lost_response")) cell.lost.response = histogram_from(json, "lost_response");
  if (cell.lost.service.count() > cell.lost.response.count()) {
    refuse("more operations were lost after they were sent than were lost in total");
  }
}

std::string osd_name(std::int32_t osd) {
  return fmt::format("osd.{}", osd);
}

std::int32_t osd_from(std::string_view name) {
  constexpr std::string_view prefix = "osd.";
  std::int32_t osd = 0;
  const std::string_view digits = name.substr(std::min(prefix.size(), name.size()));
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, osd);
  if (!name.starts_with(prefix) || error != std::errc() || stop != end || osd < 0) {
    refuse(fmt::format("'{}' is not an OSD", name));
  }
  return osd;
}

Json grade_json(const Grade& grade) {
  return {{"value", grade_name(grade.value)}, {"reasons", grade.reasons}};
}

Grade grade_from(const Json& json) {
  const std::string name = string_at(json, "value");
  for (const GradeValue value :
       {GradeValue::unwatched, GradeValue::clean, GradeValue::contaminated, GradeValue::void_run}) {
    if (grade_name(value) == name) {
      return {.value = value, .reasons = json.at("reasons").get<std::vector<std::string>>()};
    }
  }
  refuse(fmt::format("'{}' is not a grade", name));
}

RunStatus status_from(const std::string& name) {
  for (const RunStatus status :
       {RunStatus::complete, RunStatus::interrupted, RunStatus::incomplete}) {
    if (status_name(status) == name) return status;
  }
  refuse(fmt::format("'{}' is not a status", name));
}

EndedBy ended_by_from(std::string_view name) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(EndedBy::sighup); ++i) {
    const auto end = static_cast<EndedBy>(i);
    if (ended_by_name(end) == name) return end;
  }
  refuse(fmt::format("'{}' is not a known end of a run", name));
}

OpKind kind_from(std::string_view name) {
  const auto kind = op_kind_from_name(name);
  if (!kind) refuse(fmt::format("'{}' is not a kind of operation", name));
  return *kind;
}

Json plan_json(const RunPlan& plan) {
  return plan::plan_json(plan);
}

RunPlan plan_from(const Json& json) {
  auto plan = plan::plan_from(json);
  if (!plan) refuse("its plan: " + plan.error().reason);
  return *std::move(plan);
}

double us(Time time) {
  return static_cast<double>(time.count()) / ns_per_us;
}

Json us_or_null(const std::optional<Time>& time) {
  return time ? Json(us(*time)) : Json();
}

Time time_from(const Json& value, double ns_per_unit) {
  if (!value.is_number()) refuse("a time is not a number");
  const double ns = value.get<double>() * ns_per_unit;
  constexpr double exact = 9007199254740992.0;  // 2^53: nanoseconds of 104 days
  if (!(std::abs(ns) <= exact)) refuse("a time is out of range");
  return Time(std::llround(ns));
}

std::optional<Time> us_from(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return time_from(value, ns_per_us);
}

}  // namespace radosload::record::codec
