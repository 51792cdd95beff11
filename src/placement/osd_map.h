// What `osd dump` tells of a cluster, read once for all who ask about pools, OSDs that are down,
// and PGs that are bound to OSDs. Pure parsers; what a release does not say is left as it is here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::placement {

struct Pool {
  std::int64_t id = -1;
  std::string name = {};
  bool erasure = false;
  std::uint32_t size = 0;  // replicas, or k+m
  std::uint32_t min_size = 0;
  std::uint32_t k = 1;  // shards that hold data; 1 when replicated
  std::uint32_t m = 0;
  Bytes stripe_width = {};  // erasure only
  bool overwrites = true;   // partial writes are possible
  std::uint32_t pg_num = 0;
  std::uint32_t pg_num_target = 0;
  std::string autoscale = {};  // "on", "off", "warn"
  std::int64_t crush_rule = -1;
  bool full = false;       // by quota, or because an OSD is
  Bytes quota_bytes = {};  // 0: none
  std::uint64_t quota_objects = 0;
  // What changes how its operations are served, by name: "compression_mode", "min_size".
  std::map<std::string, std::string> settings = {};
  // Whose it is: by the application, what stands in the pool's metadata.
  std::map<std::string, std::map<std::string, std::string>> applications = {};
  // Of `df`; nothing when that was not answered.
  std::optional<Bytes> stored = {};
  std::uint64_t objects = 0;
  std::optional<Bytes> max_avail = {};  // what may still be stored until the first OSD is full
};

// Which start of an OSD this is. The nonce of its address changes with the process; `up_from`, the
// epoch since which it is up, also when it was only marked down.
struct OsdIdentity {
  bool up = false;
  std::uint64_t up_from = 0;
  std::uint64_t nonce = 0;
  bool operator==(const OsdIdentity&) const = default;
};

// How many PGs an OSD gets, and how often it leads them.
struct OsdWeight {
  double weight = 0;  // 0: out
  double primary_affinity = 0;
  bool operator==(const OsdWeight&) const = default;
};

struct OsdMap {
  std::uint64_t epoch = 0;
  std::vector<Pool> pools = {};
  std::vector<std::string> flags = {};  // those that change how the cluster behaves
  std::vector<std::int32_t> up = {};
  std::set<std::int32_t> down = {};
  std::map<std::int32_t, OsdIdentity> identities = {};
  std::map<std::int32_t, OsdWeight> weights = {};
  std::uint64_t crush_version = 0;
  double nearfull_ratio = 0.85;
  // By PG, as in "7.1f", its entries in these tables.
  std::map<std::string, std::string> upmaps = {};
  std::map<std::string, std::string> temps = {};
  std::string oldest_client = {};  // require_min_compat_client; empty: none is required

  const Pool* pool(std::string_view name) const;
  const Pool* pool(std::int64_t id) const;
};

// `osd dump`
Result<OsdMap> parse_osd_dump(const std::string& json);
// `df detail`: stored, objects, max_avail of its pools.
Status parse_pool_usage(const std::string& json, OsdMap& into);

}  // namespace radosload::placement
