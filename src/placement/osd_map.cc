#include "placement/osd_map.h"

#include <algorithm>
#include <array>
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
            .quota_objects = number(json, "quota_max_objects")};
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
  OsdMap map;
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
  }
  const Json& profiles = member(dump, "erasure_code_profiles");
  for (const Json& pool : member(dump, "pools")) map.pools.push_back(pool_from(pool, profiles));
  for (const char* const table : {"pg_upmap", "pg_upmap_items", "pg_upmap_primaries"}) {
    for (const Json& entry : member(dump, table)) map.upmaps.push_back(text(entry, "pgid"));
  }
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
