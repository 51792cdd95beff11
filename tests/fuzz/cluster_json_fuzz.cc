// What a cluster answers. The first byte chooses the parser, the rest is the answer.
#include <string>

#include "footprint/manifest.h"
#include "footprint/scratch_view.h"
#include "fuzz/depth.h"
#include "fuzz/target.h"
#include "observe/client_counters.h"
#include "observe/client_requests.h"
#include "observe/cluster_status.h"
#include "observe/disturbances.h"
#include "observe/file_systems.h"
#include "observe/historic_ops.h"
#include "observe/osd_counters.h"
#include "observe/osd_latencies.h"
#include "observe/osd_ops_reader.h"
#include "observe/osd_served.h"
#include "observe/osd_timing.h"
#include "placement/pins.h"
#include "placement/space_view.h"
#include "watch/op_stages.h"

namespace radosload {
namespace {

void status(char which, const std::string& json) {
  observe::ClusterStatus into;
  into.osdmap.pools.push_back({.id = 2, .name = "hdd"});
  Status parsed;
  if (which == 's') parsed = observe::parse_status(json, into);
  if (which == 'd') {
    const auto map = placement::parse_osd_dump(json);
    if (map) into.osdmap = *map;
  }
  if (which == 'v') parsed = observe::parse_versions(json, into);
  if (which == 'f') parsed = placement::parse_pool_usage(json, into.osdmap);
  if (which == 'b') parsed = observe::parse_balancer(json, into);
  if (parsed) static_cast<void>(observe::distortions(into));
}

void health(const std::string& json) {
  const auto parsed = observe::parse_health(json);
  if (!parsed) return;
  observe::HealthWatch watch({}, "hdd");
  static_cast<void>(watch.update(*parsed));
  fuzz::require(watch.update(*parsed).changes.empty());
}

void placement_map(const std::string& json) {
  const auto map = placement::PgMap::parse_pgs_brief(json, 2);
  if (!map) return;
  for (std::size_t i = 0; i < map->size(); ++i) {
    const auto found = map->find(map->at(i).seed);
    fuzz::require(found && found->seed == map->at(i).seed);
  }
  constexpr std::int32_t usual_osds = 4096;
  if (map->empty() || map->at(0).primary < 0 || map->at(0).primary >= usual_osds) return;
  // Tables by PG number are made of whatever the answer has.
  const std::uint32_t last = map->at(map->size() - 1).seed;
  const placement::PinWish wish{.pool = "hdd", .osds = {map->at(0).primary}, .candidates = 1};
  static_cast<void>(placement::pin_objects(*map, wish, [last](std::uint64_t) { return last; }));
}

void space(char which, const std::string& json) {
  if (which == 'o') static_cast<void>(placement::parse_osd_df(json));
  if (which == 'p' || which == 'u') {
    placement::OsdMap map{.pools = {{.id = 2, .name = "hdd"}}};
    if (which == 'u') return static_cast<void>(placement::parse_pool_usage(json, map));
    if (const auto parsed = placement::parse_osd_dump(json)) map = *parsed;
    static_cast<void>(placement::space_of(map, "hdd"));
  }
  if (which == 'a') static_cast<void>(placement::parse_allocation(json));
}

void scratch(char which, const std::string& json) {
  footprint::ScratchView view;
  if (which == 'r') {
    if (auto rules = footprint::parse_crush_rules(json)) view.rules = *std::move(rules);
  } else if (auto map = placement::parse_osd_dump(json)) {
    view.map = *std::move(map);
  }
  for (const auto& found : footprint::find_scratch(view)) {
    const auto again = footprint::decode_mark(footprint::encode_mark(found.mark));
    fuzz::require(again && again->ready == found.mark.ready);
    fuzz::require(found.name.starts_with(footprint::scratch_prefix));
    const bool ready = found.state == footprint::ScratchFound::State::ready;
    fuzz::require(!ready || found.size == 1);
  }
}

void routes(char which, const std::string& json) {
  if (which == 'r') {
    const auto requests = observe::parse_client_requests(json);
    if (!requests) return;
    for (const auto& request : *requests) fuzz::require(request.osd >= 0);
  }
  if (which == 'c') {
    const auto served = observe::parse_served(json);
    if (served) fuzz::require(observe::growth(*served, *served)->op == 0);
  }
}

void counters(char which, const std::string& json) {
  if (which != 'k') return;
  const auto read = observe::parse_counters(json);
  if (!read) return;
  const auto none = observe::growth(*read, *read);
  fuzz::require(none.has_value() && none->levels == read->levels);
  for (const auto& [name, count] : none->counts) fuzz::require(count == 0);
  for (const auto& [name, timed] : none->times) fuzz::require(timed == TimedCount{});
}

void latencies(char which, const std::string& json) {
  if (which != 'q') return;
  const auto read = observe::parse_latencies(json);
  if (!read) return;
  OsdCounters counters;
  counters.latencies = *read;
  const auto none = observe::growth(counters, counters);
  fuzz::require(none.has_value());
  for (const auto& [name, buckets] : none->latencies) fuzz::require(buckets.empty());
  for (const auto& [name, buckets] : *read) {
    std::uint64_t reached = 0;
    for (const LatencyBucket& bucket : buckets) {
      fuzz::require(bucket.ops > 0 && bucket.from_ns >= reached);
      fuzz::require(bucket.below_ns == 0 || bucket.below_ns > bucket.from_ns);
      reached = bucket.below_ns;
    }
  }
}

void disturbances(char which, const std::string& json) {
  observe::Disturbances log({.pool = 2, .pgs = {0}, .osds = {0}, .pinned = {0}});
  if (which == 'g') {
    const auto busy = observe::parse_busy_pgs(json);
    if (!busy) return;
    for (const auto& pg : *busy) fuzz::require(pg.pool >= 0 && observe::is_busy(pg.state));
    log.add(*busy, Time(0));
    const std::size_t found = log.all().size();
    log.add(*busy, Time(1));
    fuzz::require(log.all().size() == found);
  }
  if (which == 'l') {
    if (const auto balancer = observe::parse_balancer_turn(json)) log.add(*balancer, Time(0));
  }
  if (which == 'd') {
    const auto map = placement::parse_osd_dump(json);
    if (!map) return;
    log.add(*map, Time(0));
    log.forget();
    log.add(*map, Time(1));
    for (const auto& one : log.all()) fuzz::require(one.kind == "pg_num");
  }
}

void single_ops(char which, const std::string& json) {
  if (which == 'w') {
    const auto counters = observe::parse_client_counters(json);
    if (counters) fuzz::require(observe::growth(*counters, *counters).ops_wait == Time(0));
  }
  if (which != 'i') return;
  observe::OsdOpsReader reader;
  const auto first = reader.read_ended(json);
  const auto second = reader.read_ended(json);
  fuzz::require(first.has_value() == second.has_value());
  if (second) fuzz::require(second->ops.size() <= first->ops.size());
  const auto read = observe::parse_osd_ops(json);
  if (!read) return;
  fuzz::require(first.has_value());
  fuzz::require(read->ops.size() <= observe::most_ops_read);
  for (const auto& op : read->ops) {
    fuzz::require(op.events.size() <= observe::most_events_read);
    fuzz::require(op.last() >= op.initiated);
    const auto stages = watch::stages_of(op);
    fuzz::require(stages.longest >= Time(0));
  }
}

// What the timers ask.
void timing(const std::string& json) {
  static_cast<void>(observe::parse_osd_life(json));
  static_cast<void>(observe::parse_db_bytes(json));
  static_cast<void>(observe::parse_recovery(json));
  if (const auto took = observe::parse_compaction(json)) fuzz::require(*took >= Time{0});
  if (const auto bench = observe::parse_osd_bench(json)) fuzz::require(bench->took >= Time{0});
  const auto pgs = observe::parse_pg_timings(json);
  if (!pgs) return;
  for (const auto& pg : *pgs) {
    fuzz::require(!pg.scrub_duration || *pg.scrub_duration >= Time{0});
  }
}

void file_systems(const std::string& json) {
  const auto all = observe::parse_file_systems(json);
  if (!all) return;
  for (const auto& one : *all) {
    fuzz::require(one.active.size() + one.others.size() <= json.size());
  }
}

void manifest(const std::string& text) {
  const auto decoded = footprint::decode(text);
  if (!decoded) return;
  fuzz::require(decoded->objects <= footprint::objects_limit);
  fuzz::require(decoded->images.size() <= footprint::images_limit);
  const footprint::Place place{.run = decoded->run, .pool = "hdd", .nspace = "radosload"};
  if (const auto there = footprint::decode_at(text, place)) {
    fuzz::require(there->pool == place.pool && there->nspace == place.nspace);
  }
  const auto again = footprint::decode(footprint::encode(*decoded));
  fuzz::require(again && footprint::encode(*again) == footprint::encode(*decoded));
}

void read_as(char which, const std::string& json) {
  status(which, json);
  disturbances(which, json);
  space(which, json);
  scratch(which, json);
  routes(which, json);
  counters(which, json);
  latencies(which, json);
  single_ops(which, json);
  if (which == 'h') health(json);
  if (which == 'g') placement_map(json);
  if (which == 'm') manifest(json);
  if (which == 'x') file_systems(json);
  if (which == 't') timing(json);
}

}  // namespace
}  // namespace radosload

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return radosload::fuzz::read_by_letter(radosload::fuzz::text_of(data, size), 'D',
                                         radosload::read_as);
}
