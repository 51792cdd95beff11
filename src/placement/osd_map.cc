#include "placement/osd_map.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "base/ceph_json.h"

namespace radosload::placement {

namespace {

using ceph_json::id_of;
using ceph_json::Json;
using ceph_json::member;
using ceph_json::number;
using ceph_json::parse_object;
using ceph_json::small_number;
using ceph_json::text;

// Flags every cluster of the day has set; they say nothing about this one.
constexpr std::array<std::string_view, 4> ordinary_flags = {"sortbitwise", "recovery_deletes",
                                                            "purged_snapdirs", "pglog_hardlimit"};

OsdIdentity identity_from(const Json& osd) {
  OsdIdentity identity{.up = member(osd, "up") == 1, .up_from = number(osd, "up_from")};
  // All addresses of one process have the same nonce.
  const Json& addresses = member(member(osd, "public_addrs"), "addrvec");
  if (addresses.is_array() && !addresses.empty()) {
    identity.nonce = number(addresses.front(), "nonce");
  }
  return identity;
}

std::map<std::string, std::string> texts_in(const Json& object) {
  std::map<std::string, std::string> found;
  if (!object.is_object()) return found;
  for (const auto& [key, value] : object.items()) {
    found.emplace(key, value.is_string() ? value.get<std::string>() : std::string());
  }
  return found;
}

void read_erasure(const Json& json, const Json& profile, Pool& into) {
  into.k = std::max(1U, small_number(profile, "k"));
  into.m = small_number(profile, "m");
  into.stripe_width = Bytes{number(json, "stripe_width")};
  into.overwrites = text(json, "flags_names").find("ec_overwrites") != std::string::npos;
}

// Options of a pool that plan its PGs, and change no operation.
constexpr std::array<std::string_view, 5> planning_options = {
    "pg_num_min", "pg_num_max", "pg_autoscale_bias", "target_size_bytes", "target_size_ratio"};

std::map<std::string, std::string> settings_of(const Json& pool) {
  std::map<std::string, std::string> settings;
  const auto add = [&settings](const std::string& name, const Json& value) {
    settings.emplace(name, value.is_string() ? value.get<std::string>() : value.dump());
  };
  for (const char* const name : {"size", "min_size", "crush_rule", "fast_read", "cache_mode"}) {
    if (const Json& value = member(pool, name); !value.is_null()) add(name, value);
  }
  const Json& options = member(pool, "options");
  if (!options.is_object()) return settings;
  for (const auto& [name, value] : options.items()) {
    const bool plans =
        std::find(planning_options.begin(), planning_options.end(), name) != planning_options.end();
    if (!plans) add(name, value);
  }
  return settings;
}

Pool pool_from(const Json& json, const Json& profiles) {
  constexpr std::uint64_t erasure_type = 3;
  Pool pool{.id = id_of(json, "pool").value_or(-1),
            .name = text(json, "pool_name"),
            .erasure = number(json, "type") == erasure_type,
            .size = small_number(json, "size"),
            .min_size = small_number(json, "min_size"),
            .pg_num = small_number(json, "pg_num"),
            .pg_num_target = small_number(json, "pg_num_target"),
            .autoscale = text(json, "pg_autoscale_mode"),
            .crush_rule = id_of(json, "crush_rule").value_or(-1),
            .quota_bytes = Bytes{number(json, "quota_max_bytes")},
            .quota_objects = number(json, "quota_max_objects"),
            .settings = settings_of(json)};
  if (pool.erasure) {
    read_erasure(json, member(profiles, text(json, "erasure_code_profile")), pool);
  }
  // "nearfull" and "backfillfull" are flags of their own and do not stop writes.
  const std::string fenced = "," + text(json, "flags_names") + ",";
  pool.full = fenced.find(",full,") != std::string::npos ||
              fenced.find(",full_quota,") != std::string::npos;
  const Json& applications = member(json, "application_metadata");
  if (!applications.is_object()) return pool;
  for (const auto& [name, metadata] : applications.items()) {
    pool.applications.emplace(name, texts_in(metadata));
  }
  return pool;
}

OsdWeight weight_from(const Json& osd) {
  const auto real = [&osd](const char* key) {
    const Json& value = member(osd, key);
    return value.is_number() ? value.get<double>() : 0;
  };
  return {.weight = real("weight"), .primary_affinity = real("primary_affinity")};
}

std::map<std::string, std::string> entries_in(const Json& dump,
                                              std::initializer_list<const char*> tables) {
  std::map<std::string, std::string> entries;
  for (const char* const table : tables) {
    for (const Json& entry : member(dump, table)) entries[text(entry, "pgid")] += entry.dump();
  }
  return entries;
}

const Pool* first_of(const std::vector<Pool>& pools, auto wanted) {
  const auto found = std::find_if(pools.begin(), pools.end(), wanted);
  return found == pools.end() ? nullptr : &*found;
}

}  // namespace

const Pool* OsdMap::pool(std::string_view name) const {
  return first_of(pools, [&](const Pool& pool) { return pool.name == name; });
}

const Pool* OsdMap::pool(std::int64_t id) const {
  return first_of(pools, [&](const Pool& pool) { return pool.id == id; });
}

Result<OsdMap> parse_osd_dump(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto dump, parse_object("osd dump", json));
  OsdMap map{.epoch = number(dump, "epoch"), .crush_version = number(dump, "crush_version")};
  for (std::string& flag : ceph_json::texts(dump, "flags_set")) {
    const bool ordinary =
        std::find(ordinary_flags.begin(), ordinary_flags.end(), flag) != ordinary_flags.end();
    if (!ordinary) map.flags.push_back(std::move(flag));
  }
  for (const Json& osd : member(dump, "osds")) {
    const auto id = static_cast<std::int32_t>(number(osd, "osd"));
    const Json& up = member(osd, "up");
    if (up == 1) map.up.push_back(id);
    if (up == 0) map.down.insert(id);
    map.identities[id] = identity_from(osd);
    map.weights[id] = weight_from(osd);
  }
  const Json& profiles = member(dump, "erasure_code_profiles");
  for (const Json& pool : member(dump, "pools")) map.pools.push_back(pool_from(pool, profiles));
  map.upmaps = entries_in(dump, {"pg_upmap", "pg_upmap_items", "pg_upmap_primaries"});
  map.temps = entries_in(dump, {"pg_temp", "primary_temp"});
  map.oldest_client = text(dump, "require_min_compat_client");
  if (const Json& ratio = member(dump, "nearfull_ratio"); ratio.is_number()) {
    map.nearfull_ratio = ratio.get<double>();
  }
  return map;
}

Status parse_pool_usage(const std::string& json, OsdMap& into) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("df", json));
  for (const Json& listed : member(parsed, "pools")) {
    const auto id = static_cast<std::int64_t>(number(listed, "id"));
    const auto pool = std::find_if(into.pools.begin(), into.pools.end(),
                                   [&](const Pool& known) { return known.id == id; });
    if (pool == into.pools.end()) continue;
    const Json& stats = member(listed, "stats");
    pool->stored = Bytes{number(stats, "stored")};
    pool->objects = number(stats, "objects");
    if (member(stats, "max_avail").is_number()) pool->max_avail = Bytes{number(stats, "max_avail")};
  }
  return {};
}

}  // namespace radosload::placement
