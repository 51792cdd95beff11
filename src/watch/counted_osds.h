// Selects the OSDs whose counters a run reads. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "radosload/object_placement.h"

#include "placement/pg_map.h"

namespace radosload::watch {

// The primary OSDs of the run's PGs, those with most of its objects first.
std::vector<std::int32_t> leading_osds(const ObjectPlacement& locations);

// The given primary OSDs, then those that hold replicas or shards of their PGs; at most `most`,
// ascending.
std::vector<std::int32_t> counted_osds(std::vector<std::int32_t> leading,
                                       const ObjectPlacement& locations,
                                       const placement::PgMap& pgs, std::size_t most);

}  // namespace radosload::watch
