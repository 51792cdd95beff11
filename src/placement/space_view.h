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

#include "placement/osd_map.h"
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

struct SpaceView {
  Pool pool = {};
  double nearfull_ratio = 0.85;
  PgMap pgs = {};                                 // empty: not seen
  std::set<std::int32_t> down = {};               // OSDs that the map has as down
  std::vector<OsdUsage> osds = {};                // empty: not seen
  std::map<std::int32_t, Bytes> allocation = {};  // bluestore_min_alloc_size by OSD, where known
  std::vector<std::string> unseen = {};           // what could not be read, and why
};

// `osd df`
Result<std::vector<OsdUsage>> parse_osd_df(const std::string& json);
// What the osdmap tells of the space in the pool of that name. A pool that is not there is an
// error.
Result<SpaceView> space_of(const OsdMap& map, const std::string& pool);
// `osd metadata`
Result<std::map<std::int32_t, Bytes>> parse_allocation(const std::string& json);

}  // namespace radosload::placement
