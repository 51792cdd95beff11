#include "observe/osd_counters.h"

#include <string_view>

#include "observe/counter_names.h"
#include "observe/json.h"

namespace radosload::observe {

namespace {

// Releases name some counters differently; null when the section has neither.
const Json& counter_in(const Json& section, const CounterName& name) {
  for (const std::string_view ceph : name.ceph) {
    if (ceph.empty()) continue;
    if (const Json& found = member(section, ceph); !found.is_null()) return found;
  }
  static const Json none;
  return none;
}

std::optional<double> seconds_of(const Json& json) {
  if (!json.is_number()) return std::nullopt;
  const double value = json.get<double>();
  // Also refuses what is not a number.
  return value >= 0 && value < 1e12 ? std::optional(value) : std::nullopt;
}

void add_time(const Json& json, std::string_view name, OsdCounters& into) {
  if (json.is_object()) {
    const Json& count = member(json, "avgcount");
    const auto sum = seconds_of(member(json, "sum"));
    if (!count.is_number_unsigned() || !sum) return;
    into.times.emplace(name, TimedCount{count.get<std::uint64_t>(), *sum});
  } else if (const auto sum = seconds_of(json)) {
    into.times.emplace(name, TimedCount{0, *sum});
  }
}

// Nothing when a bucket has fewer operations than before.
std::optional<LatencyBuckets> growth_of(const LatencyBuckets& before, const LatencyBuckets& after) {
  LatencyBuckets grown;
  auto then = before.begin();
  for (const LatencyBucket& now : after) {
    LatencyBucket more = now;
    if (then != before.end() && then->from_ns == now.from_ns) {
      if (now.ops < then->ops) return std::nullopt;
      more.ops -= then->ops;
      ++then;
    }
    if (more.ops > 0) grown.push_back(more);
  }
  // One is left that is no longer there.
  if (then != before.end()) return std::nullopt;
  return grown;
}

// The same in both: how `perf dump` begins is not checked.
bool empty(const OsdCounters& counters) {
  return counters.times.empty() && counters.counts.empty() && counters.levels.empty();
}

}  // namespace

Result<OsdCounters> parse_counters(const std::string& perf_dump_json) {
  RADOSLOAD_ASSIGN(const auto dump, parse_object("perf dump", perf_dump_json));
  OsdCounters counters;
  for (const CounterName& name : counter_names()) {
    const Json& found = counter_in(member(dump, name.section), name);
    switch (name.kind) {
      case CounterKind::time:
        add_time(found, name.ours, counters);
        break;
      case CounterKind::count:
        if (found.is_number_unsigned()) counters.counts.emplace(name.ours, found);
        break;
      case CounterKind::level:
        if (found.is_number_unsigned()) counters.levels.emplace(name.ours, found);
        break;
    }
  }
  if (!empty(counters)) return counters;
  return fail({.attempt = "read the answer to 'perf dump'",
               .reason = "it has no counter that radosload knows",
               .exit = Exit::no_cluster});
}

Result<OsdCounters> fetch_counters(AdminCommands& commands, std::int32_t osd) {
  RADOSLOAD_ASSIGN(const auto dump,
                   commands.osd(osd, R"({"prefix": "perf dump", "format": "json"})"));
  return parse_counters(dump);
}

std::optional<OsdCounters> growth(const OsdCounters& before, const OsdCounters& after) {
  OsdCounters grown;
  grown.levels = after.levels;
  for (const auto& [name, now] : after.times) {
    const auto then = before.times.find(name);
    if (then == before.times.end()) continue;
    const TimedCount& was = then->second;
    if (now.count < was.count || now.seconds < was.seconds) return std::nullopt;
    grown.times.emplace(name, TimedCount{now.count - was.count, now.seconds - was.seconds});
  }
  for (const auto& [name, now] : after.counts) {
    const auto then = before.counts.find(name);
    if (then == before.counts.end()) continue;
    if (now < then->second) return std::nullopt;
    grown.counts.emplace(name, now - then->second);
  }
  for (const auto& [name, now] : after.latencies) {
    const auto then = before.latencies.find(name);
    if (then == before.latencies.end()) continue;
    auto more = growth_of(then->second, now);
    if (!more) return std::nullopt;
    grown.latencies.emplace(name, *std::move(more));
  }
  return grown;
}

}  // namespace radosload::observe
