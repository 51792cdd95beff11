// What a cluster said about the space in a pool and on its OSDs. Pure parsers, one for each
// command; what was not asked, or not answered, is left empty.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "placement/pg_map.h"

namespace radosload::placement {

struct OsdUsage {
  std::int32_t id = -1;
  std::string device_class = {};
  Bytes total = {};
  Bytes used = {};  // as nearfull counts it: metadata and what other pools hold included
  Bytes available = {};
  std::uint32_t pgs = 0;
};

struct PoolSpace {
  std::int64_t id = -1;
  std::string name = {};
  bool erasure = false;
  std::uint32_t size = 1;   // replicas, or k+m
  std::uint32_t k = 1;      // shards that hold data; 1 when replicated
  Bytes stripe_width = {};  // erasure only
  std::uint32_t pg_num = 1;
  bool full = false;       // by quota, or because an OSD is
  Bytes quota_bytes = {};  // 0: none
  std::uint64_t quota_objects = 0;
  Bytes stored = {};
  std::uint64_t objects = 0;
  std::optional<Bytes> max_avail = {};  // what may still be stored until the first OSD is full
};

struct SpaceView {
  PoolSpace pool = {};
  double nearfull_ratio = 0.85;
  PgMap pgs = {};                                 // empty: not seen
  std::set<std::int32_t> down = {};               // OSDs that the map has as down
  std::vector<OsdUsage> osds = {};                // empty: not seen
  std::map<std::int32_t, Bytes> allocation = {};  // bluestore_min_alloc_size by OSD, where known
  std::vector<std::string> unseen = {};           // what could not be looked at, and why
};

// `osd df`
Result<std::vector<OsdUsage>> parse_osd_df(const std::string& json);
// `osd dump`: the pool of that name, the nearfull ratio and which OSDs are down. A pool that is not
// there is an error.
Status parse_pool(const std::string& json, const std::string& pool, SpaceView& into);
// `osd dump`: the OSDs that are down.
Result<std::set<std::int32_t>> parse_down_osds(const std::string& json);
// `df detail`: stored, objects, max_avail of view.pool.
Status parse_pool_usage(const std::string& json, SpaceView& into);
// `osd metadata`
Result<std::map<std::int32_t, Bytes>> parse_allocation(const std::string& json);

}  // namespace radosload::placement
