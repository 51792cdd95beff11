// What the OSDs counted, as JSON.
#include <cmath>
#include <optional>

#include "record/codec.h"

#include <nlohmann/json.hpp>

namespace radosload::record::codec {

namespace {

Time moment_at(const Json& json, const char* key) {
  return time_from(json.at(key), ns_per_s);
}

using Counts = std::map<std::string, std::uint64_t, std::less<>>;

Counts counts_from(const Json& json) {
  Counts counts;
  for (const auto& [name, unused] : json.items()) counts[name] = count_at(json, name.c_str());
  return counts;
}

Json timed_json(const TimedCount& timed) {
  constexpr double us_per_s = 1e6;
  Json json = {{"count", timed.count}, {"seconds", timed.seconds}};
  // For readers.
  json["mean_us"] =
      timed.count == 0 ? Json() : Json(timed.seconds * us_per_s / static_cast<double>(timed.count));
  return json;
}

constexpr double bucket_ns_in_us = 1000;

Json limit_json(const LatencyBuckets& buckets, Quantile quantile) {
  const auto limit = limit_us(buckets, quantile);
  return limit ? Json(*limit) : Json();
}

Json latency_json(const LatencyBuckets& buckets) {
  Json list = Json::array();
  for (const LatencyBucket& bucket : buckets) {
    const double below = static_cast<double>(bucket.below_ns) / bucket_ns_in_us;
    list.push_back({{"from_us", static_cast<double>(bucket.from_ns) / bucket_ns_in_us},
                    {"below_us", bucket.below_ns == 0 ? Json() : Json(below)},
                    {"ops", bucket.ops}});
  }
  // The percentiles are for readers.
  return {{"ops", ops_of(buckets)},
          {"p50_below_us", limit_json(buckets, p50)},
          {"p99_below_us", limit_json(buckets, p99)},
          {"buckets", std::move(list)}};
}

std::uint64_t bound_from(const Json& bucket, const char* key) {
  constexpr double most = 9007199254740992.0;  // 2^53
  const double ns = number_at(bucket, key) * bucket_ns_in_us;
  if (!(ns >= 0 && ns <= most)) refuse("a latency is out of range");
  return static_cast<std::uint64_t>(std::llround(ns));
}

LatencyBuckets latency_from(const Json& json) {
  LatencyBuckets buckets;
  for (const Json& one : json.at("buckets")) {
    const bool limited = !one.at("below_us").is_null();
    buckets.push_back({.from_ns = bound_from(one, "from_us"),
                       .below_ns = limited ? bound_from(one, "below_us") : 0,
                       .ops = count_at(one, "ops")});
  }
  return buckets;
}

}  // namespace

Json window_json(const OsdWindow& window) {
  Json times = Json::object();
  for (const auto& [name, timed] : window.growth.times) times[name] = timed_json(timed);
  Json latencies = Json::object();
  for (const auto& [name, buckets] : window.growth.latencies) {
    latencies[name] = latency_json(buckets);
  }
  return {{"kind", window.kind.empty() ? Json() : Json(window.kind)},
          {"from_s", seconds(window.from)},
          {"to_s", seconds(window.to)},
          {"ours", window.ours},
          {"missing", window.missing},
          {"times", std::move(times)},
          {"counts", Json(window.growth.counts)},
          {"levels", Json(window.growth.levels)},
          {"latencies", std::move(latencies)}};
}

OsdWindow window_from(const Json& json, std::int32_t osd) {
  OsdWindow window{.osd = osd};
  if (!json.at("kind").is_null()) window.kind = string_at(json, "kind");
  window.from = moment_at(json, "from_s");
  window.to = moment_at(json, "to_s");
  window.ours = count_at(json, "ours");
  window.missing = string_at(json, "missing");
  for (const auto& [name, timed] : json.at("times").items()) {
    window.growth.times[name] = {.count = count_at(timed, "count"),
                                 .seconds = number_at(timed, "seconds")};
  }
  window.growth.counts = counts_from(json.at("counts"));
  window.growth.levels = counts_from(json.at("levels"));
  // Older records have none.
  if (!json.contains("latencies")) return window;
  for (const auto& [name, latency] : json.at("latencies").items()) {
    window.growth.latencies[name] = latency_from(latency);
  }
  return window;
}

Json windows_json(const std::vector<OsdWindow>& windows) {
  Json json = Json::object();
  for (const OsdWindow& window : windows) json[osd_name(window.osd)] = window_json(window);
  return json;
}

std::vector<OsdWindow> windows_from(const Json& object) {
  std::vector<OsdWindow> windows;
  // Older journals have none.
  if (!object.contains("counters")) return windows;
  for (const auto& [name, window] : object.at("counters").items()) {
    windows.push_back(window_from(window, osd_from(name)));
  }
  return windows;
}

}  // namespace radosload::record::codec
