// The rows of a timeline, as JSON.
#include "record/codec.h"

#include <nlohmann/json.hpp>

namespace radosload::record::codec {

namespace {

// Null where nothing was answered.
Json known_us(const Figures& figures, Time time) {
  return figures.timed > 0 ? Json(us(time)) : Json();
}

Time time_or_zero(const Json& value) {
  return us_from(value).value_or(Time(0));
}

Json figures_json(const Figures& figures) {
  return {{"ops", figures.ops},
          {"bytes", figures.bytes},
          {"timed_ops", figures.timed},
          {"errors", errors_json(figures.errors)},
          {"mean_us", known_us(figures, figures.mean)},
          {"mean_service_us", known_us(figures, figures.mean_service)},
          {"p50_us", us_or_null(figures.p50)},
          {"p99_us", us_or_null(figures.p99)},
          {"max_us", known_us(figures, figures.max)}};
}

Figures figures_from(const Json& json) {
  return {.ops = count_at(json, "ops"),
          .bytes = count_at(json, "bytes"),
          .timed = count_at(json, json.contains("timed_ops") ? "timed_ops" : "ops"),
          .errors = errors_from(json.value("errors", Json::object())),
          .mean = time_or_zero(json.at("mean_us")),
          .mean_service = time_or_zero(json.value("mean_service_us", json.at("mean_us"))),
          .max = time_or_zero(json.at("max_us")),
          .p50 = us_from(json.at("p50_us")),
          .p99 = us_from(json.at("p99_us"))};
}

// Without what is mostly zero, or as another figure: a record of days has 100,000 of these.
Json short_figures_json(const Figures& figures) {
  Json json = figures_json(figures);
  if (figures.timed == figures.ops) json.erase("timed_ops");
  if (figures.errors.empty()) json.erase("errors");
  if (figures.mean_service == figures.mean) json.erase("mean_service_us");
  return json;
}

}  // namespace

Json row_json(const TimelineRow& row) {
  Json json = {{"t_s", seconds(row.start)}, {"length_s", seconds(row.length)}};
  json.update(figures_json(row.all));
  json["late"] = row.late;
  json["in_flight"] = row.in_flight;
  json["service_us"] = {{"last", known_us(row.all, row.last_service)},
                        {"mean", known_us(row.all, row.mean_service)},
                        {"min", known_us(row.all, row.min_service)},
                        {"max", known_us(row.all, row.max_service)}};
  json["flow"] = flow_json(row.flow);
  json["kinds"] = Json::object();
  for (const auto& [kind, figures] : row.kinds) {
    json["kinds"][std::string(op_kind_name(kind))] = short_figures_json(figures);
  }
  json["osds"] = Json::object();
  for (const auto& [osd, figures] : row.osds)
    json["osds"][osd_name(osd)] = short_figures_json(figures);
  return json;
}

TimelineRow row_from(const Json& json) {
  const Json& service = json.at("service_us");
  TimelineRow row{.start = time_from(json.at("t_s"), ns_per_s),
                  .length = time_from(json.at("length_s"), ns_per_s),
                  .flow = flow_from(json.at("flow")),
                  .in_flight = count_at(json, "in_flight"),
                  .late = count_at(json, "late"),
                  .last_service = time_or_zero(service.at("last")),
                  .mean_service = time_or_zero(service.at("mean")),
                  .min_service = time_or_zero(service.at("min")),
                  .max_service = time_or_zero(service.at("max")),
                  .all = figures_from(json),
                  .kinds = {},
                  .osds = {}};
  for (const auto& [name, figures] : json.at("kinds").items()) {
    row.kinds[kind_from(name)] = figures_from(figures);
  }
  for (const auto& [name, figures] : json.at("osds").items()) {
    row.osds.set(osd_from(name), figures_from(figures));
  }
  return row;
}

}  // namespace radosload::record::codec
