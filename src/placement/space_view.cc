#include "placement/space_view.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::placement {

namespace {

using Json = nlohmann::json;

tl::unexpected<Error> unreadable(std::string_view command) {
  return fail({.attempt = fmt::format("read the answer to '{}'", command),
               .reason = "it is not what that command prints",
               .exit = Exit::no_cluster});
}

const Json& member(const Json& object, std::string_view key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::uint64_t number(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number()) return static_cast<std::uint64_t>(std::max(0.0, value.get<double>()));
  // Profiles and OSD metadata keep their numbers as strings.
  if (!value.is_string()) return 0;
  return parse_count(value.get_ref<const std::string&>()).value_or(0);
}

std::uint32_t small_number(const Json& object, std::string_view key) {
  return static_cast<std::uint32_t>(number(object, key));
}

std::string text(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

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

}  // namespace

Result<std::vector<OsdUsage>> parse_osd_df(const std::string& json) {
  const Json parsed = Json::parse(without_nan(json), nullptr, false);
  if (!parsed.is_object()) return unreadable("osd df");
  std::vector<OsdUsage> osds;
  for (const Json& node : member(parsed, "nodes")) {
    if (const std::string type = text(node, "type"); !type.empty() && type != "osd") continue;
    osds.push_back({.id = static_cast<std::int32_t>(number(node, "id")),
                    .device_class = text(node, "device_class"),
                    .total = kib(number(node, "kb")),
                    .used = kib(number(node, "kb_used")),
                    .pgs = small_number(node, "pgs")});
  }
  return osds;
}

Status parse_pool(const std::string& json, const std::string& pool, SpaceView& into) {
  const Json parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_object()) return unreadable("osd dump");
  if (const Json& ratio = member(parsed, "nearfull_ratio"); ratio.is_number()) {
    into.nearfull_ratio = ratio.get<double>();
  }
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

Status parse_pool_usage(const std::string& json, SpaceView& into) {
  const Json parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_object()) return unreadable("df");
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
  const Json parsed = Json::parse(json, nullptr, false);
  if (!parsed.is_array()) return unreadable("osd metadata");
  std::map<std::int32_t, Bytes> sizes;
  for (const Json& osd : parsed) {
    const std::uint64_t size = number(osd, "bluestore_min_alloc_size");
    if (size > 0) sizes[static_cast<std::int32_t>(number(osd, "id"))] = Bytes{size};
  }
  return sizes;
}

}  // namespace radosload::placement
