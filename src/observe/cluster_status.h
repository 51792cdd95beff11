// The cluster's identity, daemons, health, and what may distort a measurement on it. Parsing is
// pure and tested on recorded answers; fetching goes through AdminCommands. What could not be read
// is listed, never guessed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"
#include "radosload/units.h"

#include "observe/health.h"
#include "placement/osd_map.h"

namespace radosload::observe {

// The daemon that serves a part of a file system.
struct MdsRank {
  std::int64_t file_system = -1;
  std::int64_t rank = -1;
  std::string name;
  std::string state;      // "up:active"
  std::uint64_t gid = 0;  // another one for each start of a daemon
};

struct ClusterStatus {
  std::string fsid;
  std::string health;  // "HEALTH_OK"
  std::vector<HealthCheck> checks;
  std::vector<std::string> quorum;
  std::uint64_t election_epoch = 0;
  std::uint32_t mons = 0;
  bool mgr_available = false;
  std::uint32_t osds = 0;
  std::uint32_t osds_up = 0;
  std::uint32_t osds_in = 0;
  std::uint64_t osdmap_epoch = 0;
  std::vector<MdsRank> mds_ranks;
  std::map<std::string, std::uint32_t> versions;   // "16.2.15 pacific" -> daemons
  std::map<std::string, std::uint64_t> pg_states;  // "active+clean" -> PGs
  std::uint64_t recovering_objects = 0;            // degraded, misplaced or unfound
  std::uint64_t recovering_per_second = 0;         // objects that recovery or backfill copies
  Bytes total;
  Bytes available;
  std::uint64_t client_ops_per_second = 0;  // of every client
  std::optional<bool> balancer_active;
  placement::OsdMap osdmap;
  Status osdmap_seen;               // why there is no osdmap, if there is none
  Status usage_seen;                // why the contents of its pools are unknown
  std::vector<std::string> unseen;  // what could not be read, and why
};

// Something that would distort a measurement made now, and what to do about it.
struct Distortion {
  std::string what;
  std::string advice;
};

// Each takes one command's JSON and fills its part of the status.
Status parse_status(const std::string& json, ClusterStatus& into);
Status parse_versions(const std::string& json, ClusterStatus& into);
Status parse_balancer(const std::string& json, ClusterStatus& into);

// Asks everything. Fails only when the cluster cannot be seen at all; a missing part is in unseen.
Result<ClusterStatus> fetch_status(AdminCommands& commands);

std::vector<Distortion> distortions(const ClusterStatus& status);

}  // namespace radosload::observe
