// The JSON of mon and mgr commands, read leniently: releases add and drop keys, and a key that is
// not there is not an error, but a document that is no JSON object is.

#include <algorithm>
#include <array>
#include <string_view>

#include "observe/cluster_status.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace radosload::observe {

namespace {

using Json = nlohmann::json;

// Flags every cluster of the day has set; they say nothing about this one.
constexpr std::array<std::string_view, 4> ordinary_flags = {"sortbitwise", "recovery_deletes",
                                                            "purged_snapdirs", "pglog_hardlimit"};

Result<Json> parse_object(std::string_view what, const std::string& text) {
  Json parsed = Json::parse(text, nullptr, false);
  if (!parsed.is_object()) {
    return fail({.attempt = fmt::format("read the answer to '{}'", what),
                 .reason = "it is not a JSON object",
                 .exit = Exit::no_cluster});
  }
  return parsed;
}

// The member, whatever type it should have had; null when it is missing.
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
  return 0;
}

std::uint32_t small_number(const Json& object, std::string_view key) {
  return static_cast<std::uint32_t>(number(object, key));
}

std::string text(const Json& object, std::string_view key) {
  const Json& value = member(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::vector<std::string> texts(const Json& object, std::string_view key) {
  std::vector<std::string> all;
  for (const Json& value : member(object, key)) {
    if (value.is_string()) all.push_back(value.get<std::string>());
  }
  return all;
}

HealthCheck health_check(const std::string& code, const Json& check) {
  const Json& muted = member(check, "muted");
  return {.code = code,
          .severity = text(check, "severity"),
          .summary = text(member(check, "summary"), "message"),
          .muted = muted.is_boolean() && muted.get<bool>()};
}

// Profiles keep their numbers as strings.
std::uint32_t profile_number(const Json& profile, std::string_view key) {
  const auto parsed = parse_count(text(profile, key));
  return parsed ? static_cast<std::uint32_t>(*parsed) : 0;
}

PoolStatus pool_status(const Json& pool, const Json& profiles) {
  constexpr std::uint64_t erasure_type = 3;
  const std::string flags = text(pool, "flags_names");
  const Json& profile = member(profiles, text(pool, "erasure_code_profile"));
  PoolStatus status;
  status.id = static_cast<std::int64_t>(number(pool, "pool"));
  status.name = text(pool, "pool_name");
  status.erasure = number(pool, "type") == erasure_type;
  status.size = small_number(pool, "size");
  status.min_size = small_number(pool, "min_size");
  if (status.erasure) {
    status.k = profile_number(profile, "k");
    status.m = profile_number(profile, "m");
    status.overwrites = flags.find("ec_overwrites") != std::string::npos;
  }
  status.pg_num = small_number(pool, "pg_num");
  status.pg_num_target = small_number(pool, "pg_num_target");
  status.autoscale = text(pool, "pg_autoscale_mode");
  status.crush_rule = static_cast<std::int64_t>(number(pool, "crush_rule"));
  // "nearfull" and "backfillfull" are flags of their own and do not stop writes.
  const std::string fenced = "," + flags + ",";
  status.full = fenced.find(",full,") != std::string::npos ||
                fenced.find(",full_quota,") != std::string::npos;
  status.quota_bytes = number(pool, "quota_max_bytes");
  status.quota_objects = number(pool, "quota_max_objects");
  return status;
}

// "ceph version 16.2.15 (618f...) pacific (stable)" -> "16.2.15 pacific"
std::string short_version(const std::string& version) {
  constexpr std::string_view lead = "ceph version ";
  if (version.rfind(lead, 0) != 0) return version;
  const std::string rest = version.substr(lead.size());
  const std::string release = rest.substr(0, rest.find(' '));
  const std::size_t close = rest.find(") ");
  if (close == std::string::npos) return release;
  const std::string name = rest.substr(close + 2);
  return fmt::format("{} {}", release, name.substr(0, name.find(' ')));
}

}  // namespace

Status parse_status(const std::string& json, ClusterStatus& into) {
  const auto parsed = parse_object("status", json);
  if (!parsed) return fail(parsed.error());
  into.fsid = text(*parsed, "fsid");
  const Json& health = member(*parsed, "health");
  into.health = text(health, "status");
  for (const auto& [code, check] : member(health, "checks").items()) {
    into.checks.push_back(health_check(code, check));
  }
  into.quorum = texts(*parsed, "quorum_names");
  into.mons = small_number(member(*parsed, "monmap"), "num_mons");
  const Json& available = member(member(*parsed, "mgrmap"), "available");
  into.mgr_available = available.is_boolean() && available.get<bool>();
  const Json& osdmap = member(*parsed, "osdmap");
  into.osds = small_number(osdmap, "num_osds");
  into.osds_up = small_number(osdmap, "num_up_osds");
  into.osds_in = small_number(osdmap, "num_in_osds");
  into.osdmap_epoch = number(osdmap, "epoch");
  const Json& pgmap = member(*parsed, "pgmap");
  for (const Json& state : member(pgmap, "pgs_by_state")) {
    into.pg_states[text(state, "state_name")] += number(state, "count");
  }
  into.recovering_objects = number(pgmap, "degraded_objects") + number(pgmap, "misplaced_objects") +
                            number(pgmap, "unfound_objects");
  into.total = Bytes{number(pgmap, "bytes_total")};
  into.available = Bytes{number(pgmap, "bytes_avail")};
  into.client_ops_per_second = number(pgmap, "read_op_per_sec") + number(pgmap, "write_op_per_sec");
  return {};
}

Status parse_osd_dump(const std::string& json, ClusterStatus& into) {
  const auto parsed = parse_object("osd dump", json);
  if (!parsed) return fail(parsed.error());
  for (std::string& flag : texts(*parsed, "flags_set")) {
    const bool ordinary =
        std::find(ordinary_flags.begin(), ordinary_flags.end(), flag) != ordinary_flags.end();
    if (!ordinary) into.flags.push_back(std::move(flag));
  }
  for (const Json& osd : member(*parsed, "osds")) {
    if (number(osd, "up") == 1)
      into.osd_ids.push_back(static_cast<std::int32_t>(number(osd, "osd")));
  }
  const Json& profiles = member(*parsed, "erasure_code_profiles");
  for (const Json& pool : member(*parsed, "pools")) {
    into.pools.push_back(pool_status(pool, profiles));
  }
  return {};
}

Status parse_versions(const std::string& json, ClusterStatus& into) {
  const auto parsed = parse_object("versions", json);
  if (!parsed) return fail(parsed.error());
  for (const auto& [version, daemons] : member(*parsed, "overall").items()) {
    const std::uint32_t count = daemons.is_number_unsigned() ? daemons.get<std::uint32_t>() : 0;
    into.versions[short_version(version)] += count;
  }
  return {};
}

Status parse_df(const std::string& json, ClusterStatus& into) {
  const auto parsed = parse_object("df", json);
  if (!parsed) return fail(parsed.error());
  for (const Json& listed : member(*parsed, "pools")) {
    const auto id = static_cast<std::int64_t>(number(listed, "id"));
    const auto pool = std::find_if(into.pools.begin(), into.pools.end(),
                                   [&](const PoolStatus& known) { return known.id == id; });
    if (pool == into.pools.end()) continue;
    const Json& stats = member(listed, "stats");
    pool->stored = Bytes{number(stats, "stored")};
    pool->max_avail = Bytes{number(stats, "max_avail")};
  }
  return {};
}

Status parse_balancer(const std::string& json, ClusterStatus& into) {
  const auto parsed = parse_object("balancer status", json);
  if (!parsed) return fail(parsed.error());
  const Json& active = member(*parsed, "active");
  if (active.is_boolean()) into.balancer_active = active.get<bool>();
  return {};
}

}  // namespace radosload::observe
