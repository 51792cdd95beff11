// An Environment as JSON. Missing keys leave fields empty, because later versions record more facts
// than earlier ones.
#include <type_traits>
#include <utility>

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

// Reads the existing members of one object.
class Members {
 public:
  explicit Members(const Json& object) : m_object(object) {
    if (!object.is_object()) refuse("a part of the environment is not an object");
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

// Writes the members of one object.
class Writing {
 public:
  template <typename Value>
  void member(const char* key, const Value& value) {
    m_json[key] = value;
  }
  void member(const char* key, const Bytes& value) { m_json[key] = value.count; }
  template <typename Value>
  void member_unless_empty(const char* key, const Value& value) {
    if (!value.empty()) member(key, value);
  }
  Json done() { return std::move(m_json); }

 private:
  Json m_json = Json::object();
};

// Reads them.
class Reading {
 public:
  explicit Reading(const Json& object) : m_members(object) {}
  template <typename Value>
  void member(const char* key, Value& into) const {
    m_members.read(key, into);
  }
  template <typename Value>
  void member_unless_empty(const char* key, Value& into) const {
    m_members.read(key, into);
  }

 private:
  Members m_members;
};

// Lists each member once, for writing and for reading.
template <typename Facts, typename Way>
requires std::is_same_v<std::remove_const_t<Facts>, ImageFacts>
void go_through(Facts& image, Way& way) {
  way.member("name", image.name);
  way.member("id", image.id);
  way.member("size", image.size);
  way.member("object_size", image.object_size);
  way.member("stripe_unit", image.stripe_unit);
  way.member("stripe_count", image.stripe_count);
  way.member("features", image.features);
  way.member("parent", image.parent);
  way.member("made_by", image.made_by);
  way.member("luks", image.luks);
  way.member("settings", image.settings);
  way.member("overridden", image.overridden);
}

template <typename Facts, typename Way>
requires std::is_same_v<std::remove_const_t<Facts>, DriveFacts>
void go_through(Facts& drive, Way& way) {
  way.member("path", drive.path);
  way.member("device", drive.device);
  way.member("size", drive.size);
  way.member("logical_block", drive.logical_block);
  way.member("physical_block", drive.physical_block);
  way.member("medium", drive.medium);
  way.member("model", drive.model);
  way.member("serial", drive.serial);
  way.member("write_cache", drive.write_cache);
  way.member("io", drive.io);
  way.member("no_ring", drive.no_ring);
  way.member("uses", drive.uses);
  way.member("content", drive.content);
}

template <typename Facts, typename Way>
requires std::is_same_v<std::remove_const_t<Facts>, FileSystemFacts>
void go_through(Facts& system, Way& way) {
  way.member("name", system.name);
  way.member("id", system.id);
  way.member("metadata_pool", system.metadata_pool);
  way.member("directory", system.directory);
  way.member("files", system.files);
  way.member("directories", system.directories);
  way.member("mds", system.mds);
  way.member("ranks", system.ranks);
  way.member("settings", system.settings);
}

template <typename Facts, typename Way>
requires std::is_same_v<std::remove_const_t<Facts>, OsdFacts>
void go_through(Facts& osd, Way& way) {
  way.member("id", osd.id);
  way.member("pgs", osd.pgs);
  way.member_unless_empty("acting", osd.acting);
}

template <typename Facts, typename Way>
requires std::is_same_v<std::remove_const_t<Facts>, ClientFacts>
void go_through(Facts& client, Way& way) {
  way.member("host", client.host);
  way.member("kernel", client.kernel);
  way.member("cpus", client.cpus);
  way.member("usable_cpus", client.usable_cpus);
  way.member("scheduling", client.scheduling);
  way.member("pid", client.pid);
  way.member("librados", client.librados);
  way.member_unless_empty("settings", client.settings);
  way.member_unless_empty("instances", client.instances);
  way.member_unless_empty("log", client.log);
}

template <typename Facts>
Json written(const Facts& facts) {
  Writing way;
  go_through(facts, way);
  return way.done();
}

template <typename Facts>
Facts read_from(const Json& json) {
  Facts facts;
  Reading way(json);
  go_through(facts, way);
  return facts;
}

}  // namespace

Json environment_json(const Environment& environment) {
  Json json = {{"fsid", environment.fsid.empty() ? Json() : Json(environment.fsid)},
               {"ceph_versions", environment.ceph_versions}};
  if (!environment.health.empty()) json["health"] = environment.health;
  if (environment.osdmap_epoch > 0) json["osdmap_epoch"] = environment.osdmap_epoch;
  json["pool"] = environment.pool ? pool_json(*environment.pool) : Json();
  if (environment.data_pool) json["data_pool"] = pool_json(*environment.data_pool);
  json["client"] = written(environment.client);
  json["osds"] = Json::array();
  for (const OsdFacts& osd : environment.osds) json["osds"].push_back(written(osd));
  if (!environment.images.empty()) json["images"] = Json::array();
  for (const ImageFacts& image : environment.images) json["images"].push_back(written(image));
  if (environment.drive) json["drive"] = written(*environment.drive);
  if (environment.file_system) json["file_system"] = written(*environment.file_system);
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
  if (const Json* const client = members.find("client")) {
    environment.client = read_from<ClientFacts>(*client);
  }
  if (const Json* const osds = members.find("osds")) {
    for (const Json& osd : *osds) environment.osds.push_back(read_from<OsdFacts>(osd));
  }
  if (const Json* const images = members.find("images")) {
    for (const Json& image : *images) environment.images.push_back(read_from<ImageFacts>(image));
  }
  if (const Json* const drive = members.find("drive")) {
    environment.drive = read_from<DriveFacts>(*drive);
  }
  if (const Json* const system = members.find("file_system")) {
    environment.file_system = read_from<FileSystemFacts>(*system);
  }
  members.read("sim", environment.sim);
  return environment;
}

}  // namespace radosload::record::codec
