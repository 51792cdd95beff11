#include "placement/space_view.h"

#include <algorithm>
#include <string_view>

#include "base/ceph_json.h"

#include <fmt/format.h>

namespace radosload::placement {

namespace {

using ceph_json::Json;
using ceph_json::member;
using ceph_json::number;
using ceph_json::parse_array;
using ceph_json::parse_object;
using ceph_json::small_number;
using ceph_json::text;

// `osd df` prints C's "nan" for ratios of nothing to nothing, which is not JSON; we use no ratio.
std::string without_nan(std::string json) {
  for (const std::string_view word : {"-nan", "nan", "-inf", "inf"}) {
    std::size_t at = 0;
    while ((at = json.find(word, at)) != std::string::npos) {
      const bool value = at > 0 && (json[at - 1] == ':' || json[at - 1] == ' ');
      if (value) json.replace(at, word.size(), "0");
      at += value ? 1 : word.size();
    }
  }
  return json;
}

PoolSpace pool_space(const Json& pool, const Json& profiles) {
  constexpr std::uint64_t erasure_type = 3;
  PoolSpace space;
  space.id = static_cast<std::int64_t>(number(pool, "pool"));
  space.name = text(pool, "pool_name");
  space.erasure = number(pool, "type") == erasure_type;
  space.size = std::max(1U, small_number(pool, "size"));
  if (space.erasure) {
    const Json& profile = member(profiles, text(pool, "erasure_code_profile"));
    space.k = std::clamp(small_number(profile, "k"), 1U, space.size);
    space.stripe_width = Bytes{number(pool, "stripe_width")};
  }
  space.pg_num = std::max(1U, small_number(pool, "pg_num"));
  const std::string fenced = "," + text(pool, "flags_names") + ",";
  space.full = fenced.find(",full,") != std::string::npos ||
               fenced.find(",full_quota,") != std::string::npos;
  space.quota_bytes = Bytes{number(pool, "quota_max_bytes")};
  space.quota_objects = number(pool, "quota_max_objects");
  return space;
}

// An osdmap's OSDs that are there and not up.
std::set<std::int32_t> down_osds(const Json& dump) {
  std::set<std::int32_t> down;
  for (const Json& osd : member(dump, "osds")) {
    const Json& up = member(osd, "up");
    if (up.is_number() && up == 0) down.insert(static_cast<std::int32_t>(number(osd, "osd")));
  }
  return down;
}

}  // namespace

Result<std::vector<OsdUsage>> parse_osd_df(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("osd df", without_nan(json)));
  std::vector<OsdUsage> osds;
  for (const Json& node : member(parsed, "nodes")) {
    if (const std::string type = text(node, "type"); !type.empty() && type != "osd") continue;
    osds.push_back({.id = static_cast<std::int32_t>(number(node, "id")),
                    .device_class = text(node, "device_class"),
                    .total = kib(number(node, "kb")),
                    .used = kib(number(node, "kb_used")),
                    .available = kib(number(node, "kb_avail")),
                    .pgs = small_number(node, "pgs")});
  }
  return osds;
}

Status parse_pool(const std::string& json, const std::string& pool, SpaceView& into) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("osd dump", json));
  if (const Json& ratio = member(parsed, "nearfull_ratio"); ratio.is_number()) {
    into.nearfull_ratio = ratio.get<double>();
  }
  into.down = down_osds(parsed);
  for (const Json& listed : member(parsed, "pools")) {
    if (text(listed, "pool_name") != pool) continue;
    into.pool = pool_space(listed, member(parsed, "erasure_code_profiles"));
    return {};
  }
  return fail({.attempt = "find the pool",
               .subject = fmt::format("'{}'", pool),
               .reason = "the osdmap has none of that name",
               .exit = Exit::no_cluster});
}

Result<std::set<std::int32_t>> parse_down_osds(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("osd dump", json));
  return down_osds(parsed);
}

Status parse_pool_usage(const std::string& json, SpaceView& into) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("df", json));
  for (const Json& listed : member(parsed, "pools")) {
    if (static_cast<std::int64_t>(number(listed, "id")) != into.pool.id) continue;
    const Json& stats = member(listed, "stats");
    into.pool.stored = Bytes{number(stats, "stored")};
    into.pool.objects = number(stats, "objects");
    if (member(stats, "max_avail").is_number()) {
      into.pool.max_avail = Bytes{number(stats, "max_avail")};
    }
  }
  return {};
}

Result<std::map<std::int32_t, Bytes>> parse_allocation(const std::string& json) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_array("osd metadata", json));
  std::map<std::int32_t, Bytes> sizes;
  for (const Json& osd : parsed) {
    const std::uint64_t size = number(osd, "bluestore_min_alloc_size");
    if (size > 0) sizes[static_cast<std::int32_t>(number(osd, "id"))] = Bytes{size};
  }
  return sizes;
}

}  // namespace radosload::placement
