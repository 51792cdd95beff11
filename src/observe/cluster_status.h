// The cluster as radosload sees it: who it is, what runs on it, how it feels, and what may distort
// a measurement. Parsing is pure and tested on recorded answers; fetching goes through
// AdminCommands. What could not be seen is said, never guessed.
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

namespace radosload::observe {

struct PoolStatus {
  std::int64_t id = 0;
  std::string name = {};
  bool erasure = false;
  std::uint32_t size = 0;  // replicas, or k+m
  std::uint32_t min_size = 0;
  std::uint32_t k = 0;  // erasure only
  std::uint32_t m = 0;
  bool overwrites = true;  // partial writes are possible
  std::uint32_t pg_num = 0;
  std::uint32_t pg_num_target = 0;
  std::string autoscale = {};  // "on", "off", "warn"
  std::int64_t crush_rule = 0;
  bool full = false;  // by quota or because an OSD is
  std::uint64_t quota_bytes = 0;
  std::uint64_t quota_objects = 0;
  std::optional<Bytes> stored = {};  // nothing when the mgr is away
  std::optional<Bytes> max_avail = {};
};

struct ClusterStatus {
  std::string fsid;
  std::string health;  // "HEALTH_OK"
  std::vector<HealthCheck> checks;
  std::vector<std::string> quorum;
  std::uint32_t mons = 0;
  bool mgr_available = false;
  std::uint32_t osds = 0;
  std::vector<std::int32_t> osd_ids;  // of those that are up
  std::uint32_t osds_up = 0;
  std::uint32_t osds_in = 0;
  std::uint64_t osdmap_epoch = 0;
  std::vector<std::string> flags;                  // those that change how the cluster behaves
  std::map<std::string, std::uint32_t> versions;   // "16.2.15 pacific" -> daemons
  std::map<std::string, std::uint64_t> pg_states;  // "active+clean" -> PGs
  std::uint64_t recovering_objects = 0;            // degraded, misplaced or unfound
  Bytes total;
  Bytes available;
  std::uint64_t client_ops_per_second = 0;  // of every client
  std::optional<bool> balancer_active;
  std::vector<PoolStatus> pools;
  std::vector<std::string> unseen;  // what could not be looked at, and why
};

// One thing that would bend a measurement made now, and what to do about it.
struct Distortion {
  std::string what;
  std::string advice;
};

// Each takes one command's JSON and fills its part of the status.
Status parse_status(const std::string& json, ClusterStatus& into);
Status parse_osd_dump(const std::string& json, ClusterStatus& into);
Status parse_versions(const std::string& json, ClusterStatus& into);
Status parse_df(const std::string& json, ClusterStatus& into);
Status parse_balancer(const std::string& json, ClusterStatus& into);

// Asks everything. Fails only when the cluster cannot be seen at all; a missing part is in unseen.
Result<ClusterStatus> fetch_status(AdminCommands& commands);

std::vector<Distortion> distortions(const ClusterStatus& status);

}  // namespace radosload::observe
