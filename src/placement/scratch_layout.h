// How a pool is bound to chosen OSDs: where in the CRUSH tree its rule begins, how many PGs it has,
// and which OSD gets which. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "placement/osd_inventory.h"
#include "placement/pg_map.h"

namespace radosload::placement {

// Where a CRUSH rule begins: a bucket, or only the OSDs of one class below it.
struct CrushTake {
  std::string bucket = {};
  std::string device_class = {};  // empty: every class

  bool operator==(const CrushTake&) const = default;
};

// "default~hdd", as rules name it; and the reverse.
std::string take_text(const CrushTake& take);
CrushTake take_named(std::string_view text);

// A beginning that has all of the OSDs below it. Preferred are those that rules of the cluster have
// already, and of them the narrowest: a tree that is used in two ways (default, default~hdd) makes
// the autoscaler leave every pool on it alone. OSDs below different roots have none.
Result<CrushTake> take_for(const OsdInventory& inventory, const std::vector<std::int32_t>& osds,
                           const std::vector<CrushTake>& known);

// Whether the rule could use other OSDs too.
bool has_others(const OsdInventory& inventory, const CrushTake& take,
                const std::vector<std::int32_t>& osds);

struct PgNumWish {
  std::vector<std::int32_t> osds;
  std::uint32_t named = 0;  // by the user; 0: chosen here
  std::uint32_t most = 0;   // PGs that an OSD may have; 0: unknown
};

// A power of two, with several PGs for each OSD; fewer if the OSDs are near their limit. A number
// that the user gave and that does not fit is refused.
Result<std::uint32_t> pg_num_for(const OsdInventory& inventory, const PgNumWish& wish);

// The OSD of each PG, in turns.
std::vector<std::int32_t> shared_out(std::uint32_t pg_num, const std::vector<std::int32_t>& osds);

// How far a new pool has come: the PGs that serve operations on the OSD meant for them, and no
// other, and what keeps the first of the rest.
struct Settled {
  std::uint32_t pgs = 0;
  std::string waiting = {};  // "PG 7.3 is on 2 instead of osd.0"; empty: all are settled
};
Settled settled(const PgMap& map, std::int64_t pool, const std::vector<std::int32_t>& wanted);

}  // namespace radosload::placement
