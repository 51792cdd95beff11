// An Environment as JSON. A key that a document lacks leaves its field empty: later versions know
// more of a place than earlier ones.
#include <type_traits>

#include "record/codec.h"
#include "record/environment.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::record {

std::string to_json(const Environment& environment) {
  return codec::environment_json(environment)
      .dump(-1, ' ', false, codec::Json::error_handler_t::replace);
}

Result<Environment> environment_from_json(std::string_view text) {
  try {
    return codec::environment_from(codec::parsed(text));
  } catch (const std::exception& error) {
    return fail({.attempt = "read the environment of a run", .reason = error.what()});
  }
}

}  // namespace radosload::record

namespace radosload::record::codec {

namespace {

Json pool_json(const PoolFacts& pool) {
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

Json image_json(const ImageFacts& image) {
  return {{"name", image.name},
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

Json osd_json(const OsdFacts& osd) {
  Json json = {{"id", osd.id}, {"pgs", osd.pgs}};
  if (!osd.acting.empty()) json["acting"] = osd.acting;
  return json;
}

Json client_json(const ClientFacts& client) {
  Json json = {{"host", client.host},
               {"kernel", client.kernel},
               {"cpus", client.cpus},
               {"usable_cpus", client.usable_cpus},
               {"scheduling", client.scheduling},
               {"pid", client.pid},
               {"librados", client.librados}};
  if (!client.settings.empty()) json["settings"] = client.settings;
  if (!client.instances.empty()) json["instances"] = client.instances;
  return json;
}

// Reads the members of one object, those that are there.
class Members {
 public:
  explicit Members(const Json& object) : m_object(object) {
    if (!object.is_object()) refuse("the environment is not made of objects");
  }
  template <typename Value>
  void read(const char* key, Value& into) const {
    const Json* const value = find(key);
    if (value == nullptr) return;
    if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
      if (!value->is_number_integer()) refuse(fmt::format("'{}' is not a whole number", key));
    }
    value->get_to(into);
  }
  void read(const char* key, Bytes& into) const { read(key, into.count); }
  // Null when it is missing.
  const Json* find(const char* key) const {
    const auto found = m_object.find(key);
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
  }

 private:
  const Json& m_object;
};

std::optional<PoolFacts> pool_from(const Json* json) {
  if (json == nullptr) return std::nullopt;
  const Members members(*json);
  PoolFacts pool;
  std::string type;
  members.read("id", pool.id);
  members.read("name", pool.name);
  members.read("type", type);
  pool.erasure = type == "erasure";
  members.read("size", pool.size);
  members.read("min_size", pool.min_size);
  members.read("k", pool.k);
  members.read("m", pool.m);
  members.read("overwrites", pool.overwrites);
  members.read("pg_num", pool.pg_num);
  members.read("crush_rule", pool.crush_rule);
  return pool;
}

ImageFacts image_from(const Json& json) {
  const Members members(json);
  ImageFacts image;
  members.read("name", image.name);
  members.read("id", image.id);
  members.read("size", image.size);
  members.read("object_size", image.object_size);
  members.read("stripe_unit", image.stripe_unit);
  members.read("stripe_count", image.stripe_count);
  members.read("features", image.features);
  members.read("parent", image.parent);
  members.read("made_by", image.made_by);
  members.read("luks", image.luks);
  members.read("settings", image.settings);
  members.read("overridden", image.overridden);
  return image;
}

OsdFacts osd_from_json(const Json& json) {
  const Members members(json);
  OsdFacts osd;
  members.read("id", osd.id);
  members.read("pgs", osd.pgs);
  members.read("acting", osd.acting);
  return osd;
}

ClientFacts client_from(const Json* json) {
  ClientFacts client;
  if (json == nullptr) return client;
  const Members members(*json);
  members.read("host", client.host);
  members.read("kernel", client.kernel);
  members.read("cpus", client.cpus);
  members.read("usable_cpus", client.usable_cpus);
  members.read("scheduling", client.scheduling);
  members.read("pid", client.pid);
  members.read("librados", client.librados);
  members.read("settings", client.settings);
  members.read("instances", client.instances);
  return client;
}

}  // namespace

Json environment_json(const Environment& environment) {
  Json json = {{"fsid", environment.fsid.empty() ? Json() : Json(environment.fsid)},
               {"ceph_versions", environment.ceph_versions}};
  if (!environment.health.empty()) json["health"] = environment.health;
  if (environment.osdmap_epoch > 0) json["osdmap_epoch"] = environment.osdmap_epoch;
  json["pool"] = environment.pool ? pool_json(*environment.pool) : Json();
  if (environment.data_pool) json["data_pool"] = pool_json(*environment.data_pool);
  json["client"] = client_json(environment.client);
  json["osds"] = Json::array();
  for (const OsdFacts& osd : environment.osds) json["osds"].push_back(osd_json(osd));
  if (!environment.images.empty()) json["images"] = Json::array();
  for (const ImageFacts& image : environment.images) json["images"].push_back(image_json(image));
  if (!environment.sim.empty()) json["sim"] = environment.sim;
  return json;
}

Environment environment_from(const Json& json) {
  const Members members(json);
  Environment environment;
  members.read("fsid", environment.fsid);
  members.read("ceph_versions", environment.ceph_versions);
  members.read("health", environment.health);
  members.read("osdmap_epoch", environment.osdmap_epoch);
  environment.pool = pool_from(members.find("pool"));
  environment.data_pool = pool_from(members.find("data_pool"));
  environment.client = client_from(members.find("client"));
  if (const Json* const osds = members.find("osds")) {
    for (const Json& osd : *osds) environment.osds.push_back(osd_from_json(osd));
  }
  if (const Json* const images = members.find("images")) {
    for (const Json& image : *images) environment.images.push_back(image_from(image));
  }
  members.read("sim", environment.sim);
  return environment;
}

}  // namespace radosload::record::codec
