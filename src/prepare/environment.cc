// What a record says of the place where it was made.

#include <map>
#include <set>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/processors.h"
#include "prepare/cluster_session.h"
#include "target/client_settings.h"

#include <nlohmann/json.hpp>

namespace radosload::prepare {

namespace {

using Json = nlohmann::json;

Json client_json() {
  utsname name{};
  ::uname(&name);
  int major = 0;
  int minor = 0;
  int extra = 0;
  librados::Rados::version(&major, &minor, &extra);
  return {{"host", name.nodename},
          {"kernel", name.release},
          {"cpus", ::sysconf(_SC_NPROCESSORS_ONLN)},
          {"usable_cpus", usable_processors()},
          {"scheduling", scheduling_policy()},
          {"pid", ::getpid()},
          {"librados",
           std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(extra)}};
}

Json pool_json(const placement::Pool& pool) {
  Json json = {{"id", pool.id},
               {"name", pool.name},
               {"type", pool.erasure ? "erasure" : "replicated"},
               {"size", pool.size},
               {"min_size", pool.min_size},
               {"pg_num", pool.pg_num},
               {"crush_rule", pool.crush_rule}};
  if (pool.erasure) {
    json["k"] = pool.k;
    json["m"] = pool.m;
    json["overwrites"] = pool.overwrites;
  }
  return json;
}

Json image_json(const cluster::ImageInfo& image) {
  return {{"name", image.spec.text()},
          {"id", image.id},
          {"size", image.size.count},
          {"object_size", image.object_size.count},
          {"stripe_unit", image.stripe_unit.count},
          {"stripe_count", image.stripe_count},
          {"features", image.features},
          {"parent", image.parent},
          {"made_by", image.made_by},
          {"luks", image.luks},
          {"settings", image.settings},
          {"overridden", image.overridden}};
}

// The OSDs that serve objects of the run: how many of its PGs each leads; of pinned ones, on which
// acting sets those lie.
Json osds_json(const ClusterSession& place, const ObjectPlacement& homes) {
  struct Led {
    std::size_t pgs = 0;
    std::set<std::string> sets;
  };
  std::map<std::int32_t, Led> osds;
  const std::set<std::uint32_t> used(homes.pgs().begin(), homes.pgs().end());
  for (const std::uint32_t seed : used) {
    const auto pg = place.space.pgs.find(seed);
    if (!pg) continue;
    Led& led = osds[pg->primary];
    ++led.pgs;
    if (!place.pinned.empty()) led.sets.insert(placement::acting_text(*pg));
  }
  Json json = Json::array();
  for (const auto& [osd, led] : osds) {
    Json one = {{"id", osd}, {"pgs", led.pgs}};
    if (!led.sets.empty()) {
      one["acting"] = led.sets;
      one["acting_sets"] = led.sets.size();
    }
    json.push_back(std::move(one));
  }
  return json;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string environment_json(const RunPlan& plan, const ClusterSession& place,
                             const std::vector<cluster::ImageInfo>& images,
                             const ObjectPlacement* homes) {
  Json client = client_json();
  client["settings"] = target::settings_in_force(*place.lanes.front().connection);
  client["instances"] = Json::array();
  for (const auto& lane : place.lanes)
    client["instances"].push_back(lane.connection->instance_id());
  const placement::Pool* const pool = place.status.osdmap.pool(plan.pool);
  Json json = {{"fsid", place.status.fsid},
               {"ceph_versions", place.status.versions},
               {"health", place.status.health},
               {"osdmap_epoch", place.status.osdmap_epoch},
               {"pool", pool != nullptr ? pool_json(*pool) : Json::object()},
               {"client", client},
               {"osds", homes != nullptr ? osds_json(place, *homes) : Json::array()}};
  for (const cluster::ImageInfo& image : images) json["images"].push_back(image_json(image));
  const placement::Pool* const data = place.status.osdmap.pool(place.space.pool.name);
  if (data != nullptr && data != pool) json["data_pool"] = pool_json(*data);
  return text_of(json);
}

std::string environment_json(const RunPlan& plan) {
  return text_of({{"fsid", nullptr},
                  {"ceph_versions", Json::object()},
                  {"pool", Json::object()},
                  {"client", client_json()},
                  {"osds", Json::array()},
                  {"sim", plan.sim}});
}

}  // namespace radosload::prepare
