// The JSON of the commands that a status is made of.

#include <string_view>

#include "observe/cluster_status.h"
#include "observe/json.h"

#include <fmt/format.h>

namespace radosload::observe {

namespace {

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
  into.election_epoch = number(parsed, "election_epoch");
  into.mons = small_number(member(parsed, "monmap"), "num_mons");
  const Json& available = member(member(parsed, "mgrmap"), "available");
  into.mgr_available = available.is_boolean() && available.get<bool>();
  const Json& osdmap = member(parsed, "osdmap");
  into.osds = small_number(osdmap, "num_osds");
  into.osds_up = small_number(osdmap, "num_up_osds");
  into.osds_in = small_number(osdmap, "num_in_osds");
  into.osdmap_epoch = number(osdmap, "epoch");
  for (const Json& rank : member(member(parsed, "fsmap"), "by_rank")) {
    into.mds_ranks.push_back(
        {.file_system = static_cast<std::int64_t>(number(rank, "filesystem_id")),
         .rank = static_cast<std::int64_t>(number(rank, "rank")),
         .name = text(rank, "name"),
         .state = text(rank, "status"),
         .gid = number(rank, "gid")});
  }
  const Json& pgmap = member(parsed, "pgmap");
  for (const Json& state : member(pgmap, "pgs_by_state")) {
    into.pg_states[text(state, "state_name")] += number(state, "count");
  }
  into.recovering_objects = number(pgmap, "degraded_objects") + number(pgmap, "misplaced_objects") +
                            number(pgmap, "unfound_objects");
  into.recovering_per_second = number(pgmap, "recovering_objects_per_sec");
  into.total = Bytes{number(pgmap, "bytes_total")};
  into.available = Bytes{number(pgmap, "bytes_avail")};
  into.client_ops_per_second = number(pgmap, "read_op_per_sec") + number(pgmap, "write_op_per_sec");
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

Status parse_balancer(const std::string& json, ClusterStatus& into) {
  RADOSLOAD_ASSIGN(const auto parsed, parse_object("balancer status", json));
  const Json& active = member(parsed, "active");
  if (active.is_boolean()) into.balancer_active = active.get<bool>();
  return {};
}

}  // namespace radosload::observe
