#include "views/json_values.h"
#include "views/watch_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::views {

namespace {

using Json = nlohmann::ordered_json;

Json time_json(const TimedCount& time) {
  constexpr double us_in_s = 1e6;
  Json json = {{"count", time.count}, {"seconds", time.seconds}, {"mean_us", nullptr}};
  if (time.count > 0) json["mean_us"] = time.seconds * us_in_s / static_cast<double>(time.count);
  return json;
}

Json latency_json(const LatencyBuckets& buckets) {
  return {{"ops", record::ops_of(buckets)},
          {"p50_below_us", or_null(record::limit_us(buckets, record::p50))},
          {"p99_below_us", or_null(record::limit_us(buckets, record::p99))}};
}

// As in the record of a run, but for its share and the single buckets.
Json counters_json(const record::OsdWindow& window) {
  Json json = {{"kind", or_null(window.kind)}, {"from_s", seconds(window.from)},
               {"to_s", seconds(window.to)},   {"missing", window.missing},
               {"times", Json::object()},      {"counts", Json::object()},
               {"levels", Json::object()},     {"latencies", Json::object()}};
  for (const auto& [name, time] : window.growth.times) json["times"][name] = time_json(time);
  for (const auto& [name, count] : window.growth.counts) json["counts"][name] = count;
  for (const auto& [name, level] : window.growth.levels) json["levels"][name] = level;
  for (const auto& [name, buckets] : window.growth.latencies) {
    json["latencies"][name] = latency_json(buckets);
  }
  return json;
}

}  // namespace

std::string watch_json(const Watched& watched) {
  Json json = {
      {"schema", "radosload.watch/1"},
      {"status", watched.interrupted ? "interrupted" : "complete"},
      {"started", watched.started},
      {"watched_s", seconds(watched.length)},
      {"interval_s", seconds(watched.interval)},
      {"osds", Json::object()},
      {"notes", watched.notes},
      {"grade",
       {{"value", record::grade_name(watched.grade.value)}, {"reasons", watched.grade.reasons}}}};
  for (const record::OsdWindow& window : watched.windows) {
    json["osds"][fmt::format("osd.{}", window.osd)]["counters"] = counters_json(window);
  }
  return json_text(json);
}

}  // namespace radosload::views
