// The routing of operations, as JSON.
#include <limits>

#include "record/codec.h"

#include <nlohmann/json.hpp>

namespace radosload::record::codec {

namespace {

Json served_json(const std::optional<ServedCounters>& served) {
  if (!served) return {};
  Json json = Json::object();
  for (const auto& [name, counter] : served_counters) json[name] = (*served).*counter;
  return json;
}

std::optional<ServedCounters> served_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  ServedCounters served;
  for (const auto& [name, counter] : served_counters) served.*counter = count_at(json, name);
  return served;
}

Json route_json(const OsdRoute& route) {
  const auto ours = share_ours(route);
  return {{"sent", route.sent},
          {"answered", route.answered},
          {"sampled", route.sampled},
          {"there", route.there},
          {"counters", served_json(route.served)},
          {"share_ours", ours ? Json(*ours) : Json()}};
}

Json osd_or_null(std::int32_t osd) {
  return osd == no_osd ? Json() : Json(osd);
}

std::int32_t osd_at(const Json& json, const char* key) {
  if (json.at(key).is_null()) return no_osd;
  const std::int64_t osd = integer_at(json, key);
  if (osd < 0 || osd > std::numeric_limits<std::int32_t>::max()) {
    refuse("a misrouted operation has no valid OSD number");
  }
  return static_cast<std::int32_t>(osd);
}

}  // namespace

Json routing_json(const std::optional<Routing>& routing) {
  if (!routing) return {};
  Json osds = Json::object();
  for (const OsdRoute& route : routing->osds) osds[osd_name(route.osd)] = route_json(route);
  Json strays = Json::array();
  for (const Stray& stray : routing->strays) {
    strays.push_back({{"meant", osd_or_null(stray.meant)},
                      {"sent", osd_or_null(stray.sent)},
                      {"ops", stray.count}});
  }
  return {{"samples", routing->samples},     {"remapped", routing->remapped},
          {"osds", std::move(osds)},         {"strays", std::move(strays)},
          {"unsampled", routing->unsampled}, {"uncounted", routing->uncounted}};
}

std::optional<Routing> routing_from(const Json& object) {
  // Older records have none.
  if (!object.contains("routing") || object.at("routing").is_null()) return std::nullopt;
  const Json& json = object.at("routing");
  Routing routing;
  routing.samples = count_at(json, "samples");
  routing.remapped = count_at(json, "remapped");
  for (const auto& [name, route] : json.at("osds").items()) {
    routing.osds.push_back({.osd = osd_from(name),
                            .sent = count_at(route, "sent"),
                            .answered = count_at(route, "answered"),
                            .sampled = count_at(route, "sampled"),
                            .there = count_at(route, "there"),
                            .served = served_from(route.at("counters"))});
  }
  for (const Json& stray : json.at("strays")) {
    routing.strays.push_back({.meant = osd_at(stray, "meant"),
                              .sent = osd_at(stray, "sent"),
                              .count = count_at(stray, "ops")});
  }
  routing.unsampled = string_at(json, "unsampled");
  routing.uncounted = string_at(json, "uncounted");
  return routing;
}

}  // namespace radosload::record::codec
