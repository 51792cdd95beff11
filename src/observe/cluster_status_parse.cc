// The JSON of the commands that a status is made of.

#include <algorithm>
#include <array>
#include <string_view>

#include "observe/cluster_status.h"
#include "observe/json.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

// Flags every cluster of the day has set; they say nothing about this one.
constexpr std::array<std::string_view, 4> ordinary_flags = {"sortbitwise", "recovery_deletes",
                                                            "purged_snapdirs", "pglog_hardlimit"};

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
    status.k = small_number(profile, "k");
    status.m = small_number(profile, "m");
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
  std::string release = rest.substr(0, rest.find(' '));
  const std::size_t close = rest.find(") ");
  if (close == std::string::npos) return release;
  const std::string name = rest.substr(close + 2);
  return fmt::format("{} {}", release, name.substr(0, name.find(' ')));
}

}  // namespace

Status parse_status(const std::string& json, ClusterStatus& into) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("status", json));
  into.fsid = text(parsed, "fsid");
  Health health = health_from(member(parsed, "health"));
  into.health = std::move(health.status);
  into.checks = std::move(health.checks);
  into.quorum = texts(parsed, "quorum_names");
  into.mons = small_number(member(parsed, "monmap"), "num_mons");
  const Json& available = member(member(parsed, "mgrmap"), "available");
  into.mgr_available = available.is_boolean() && available.get<bool>();
  const Json& osdmap = member(parsed, "osdmap");
  into.osds = small_number(osdmap, "num_osds");
  into.osds_up = small_number(osdmap, "num_up_osds");
  into.osds_in = small_number(osdmap, "num_in_osds");
  into.osdmap_epoch = number(osdmap, "epoch");
  const Json& pgmap = member(parsed, "pgmap");
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
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("osd dump", json));
  for (std::string& flag : texts(parsed, "flags_set")) {
    const bool ordinary =
        std::find(ordinary_flags.begin(), ordinary_flags.end(), flag) != ordinary_flags.end();
    if (!ordinary) into.flags.push_back(std::move(flag));
  }
  for (const Json& osd : member(parsed, "osds")) {
    if (number(osd, "up") == 1)
      into.osd_ids.push_back(static_cast<std::int32_t>(number(osd, "osd")));
  }
  const Json& profiles = member(parsed, "erasure_code_profiles");
  for (const Json& pool : member(parsed, "pools")) {
    into.pools.push_back(pool_status(pool, profiles));
  }
  return {};
}

Status parse_versions(const std::string& json, ClusterStatus& into) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("versions", json));
  for (const auto& [version, daemons] : member(parsed, "overall").items()) {
    const std::uint32_t count = daemons.is_number_unsigned() ? daemons.get<std::uint32_t>() : 0;
    into.versions[short_version(version)] += count;
  }
  return {};
}

Status parse_df(const std::string& json, ClusterStatus& into) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("df", json));
  for (const Json& listed : member(parsed, "pools")) {
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
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("balancer status", json));
  const Json& active = member(parsed, "active");
  if (active.is_boolean()) into.balancer_active = active.get<bool>();
  return {};
}

}  // namespace radosload::observe
