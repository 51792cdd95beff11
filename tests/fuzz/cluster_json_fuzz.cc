// What a cluster answers. The first byte chooses the parser, the rest is the answer.
#include <string>

#include "footprint/manifest.h"
#include "footprint/scratch_view.h"
#include "fuzz/depth.h"
#include "fuzz/target.h"
#include "observe/client_requests.h"
#include "observe/cluster_status.h"
#include "observe/osd_served.h"
#include "placement/pins.h"
#include "placement/space_view.h"

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
  static_cast<void>(watch.look(*parsed));
  fuzz::require(watch.look(*parsed).changes.empty());
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
  space(which, json);
  scratch(which, json);
  routes(which, json);
  if (which == 'h') health(json);
  if (which == 'g') placement_map(json);
  if (which == 'm') manifest(json);
}

}  // namespace
}  // namespace radosload

// Behind a D, the second byte chooses what is read, and the next two how deep it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input = radosload::fuzz::text_of(data, size);
  if (input.front() == 'D' && size > 1) {
    const auto document = radosload::fuzz::deepened(input.substr(2));
    if (document) radosload::read_as(input[1], *document);
  } else {
    radosload::read_as(input.front(), std::string(input.substr(1)));
  }
  return 0;
}
