// The power and the energy of a run as JSON.
#include <cmath>

#include "record/codec.h"

#include <nlohmann/json.hpp>

namespace radosload::record::codec {

namespace {

constexpr double energy_ns_in_s = 1e9;

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

std::optional<double> optional_number(const Json& object, const char* key) {
  if (object.at(key).is_null()) return std::nullopt;
  return number_at(object, key);
}

Time energy_time(const Json& object, const char* key) {
  constexpr double longest_s = 1e9;
  const double value = number_at(object, key);
  if (!(value >= 0 && value <= longest_s)) refuse("a time of the energy is out of range");
  return Time(std::llround(value * energy_ns_in_s));
}

Json estimated_json(const std::optional<Estimated>& estimated) {
  if (!estimated) return {};
  return {{"value", estimated->value},
          {"low", number_or_null(estimated->low)},
          {"high", number_or_null(estimated->high)}};
}

std::optional<Estimated> estimated_from(const Json& object, const char* key) {
  const Json& json = object.at(key);
  if (json.is_null()) return std::nullopt;
  return Estimated{.value = number_at(json, "value"),
                   .low = optional_number(json, "low"),
                   .high = optional_number(json, "high")};
}

}  // namespace

Json energy_json(const std::optional<Energy>& energy) {
  if (!energy) return {};
  Json sources = Json::array();
  for (const PowerSource& source : energy->sources) {
    sources.push_back({{"name", source.name},
                       {"idle_w", number_or_null(source.idle_w)},
                       {"mean_w", number_or_null(source.mean_w)},
                       {"missing", source.missing}});
  }
  return {{"sources", std::move(sources)},
          {"idle_s", seconds(energy->idle_length)},
          {"idle_w", number_or_null(energy->idle_w)},
          {"mean_w", number_or_null(mean_watts(*energy))},
          {"known_s", seconds(energy->known)},
          {"joules", energy->joules},
          {"ops", energy->ops},
          {"joules_per_op", estimated_json(energy->joules_per_op)},
          {"net_joules_per_op", estimated_json(energy->net_joules_per_op)},
          {"ops_per_joule", estimated_json(ops_per_joule(*energy))},
          {"net_ops_per_joule", estimated_json(net_ops_per_joule(*energy))}};
}

std::optional<Energy> energy_from(const Json& object) {
  const auto json = object.find("energy");
  // Older records do not have it.
  if (json == object.end() || json->is_null()) return std::nullopt;
  Energy energy{.idle_length = energy_time(*json, "idle_s"),
                .idle_w = optional_number(*json, "idle_w"),
                .known = energy_time(*json, "known_s"),
                .joules = number_at(*json, "joules"),
                .ops = count_at(*json, "ops"),
                .joules_per_op = estimated_from(*json, "joules_per_op"),
                .net_joules_per_op = estimated_from(*json, "net_joules_per_op")};
  for (const Json& source : json->at("sources")) {
    energy.sources.push_back({.name = string_at(source, "name"),
                              .idle_w = optional_number(source, "idle_w"),
                              .mean_w = optional_number(source, "mean_w"),
                              .missing = string_at(source, "missing")});
  }
  return energy;
}

}  // namespace radosload::record::codec
