// Which OSDs of a run are asked for their counters. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "radosload/object_placement.h"

#include "placement/pg_map.h"

namespace radosload::watch {

// The OSDs that lead PGs of the run, those with most of its objects first.
std::vector<std::int32_t> leading_osds(const ObjectPlacement& locations);

// The given leading OSDs, then those that hold replicas or shards of the PGs they lead in the run;
// at most `most`, ascending.
std::vector<std::int32_t> counted_osds(std::vector<std::int32_t> leading,
                                       const ObjectPlacement& locations,
                                       const placement::PgMap& pgs, std::size_t most);

}  // namespace radosload::watch
