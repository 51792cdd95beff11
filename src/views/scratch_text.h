// The text and the JSON of `radosload scratch`. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "footprint/scratch.h"
#include "footprint/scratch_removal.h"
#include "placement/pg_map.h"

namespace radosload::views {

// PGs by the OSD that serves them; -1: none does. Nothing: they could not be seen.
using PgCounts = std::optional<std::map<std::int32_t, std::uint32_t>>;
PgCounts counted_pgs(const placement::PgMap& map);

struct ScratchShown {
  footprint::ScratchFound found = {};
  PgCounts pgs = {};
};

// What `create` would do, and what it has done.
std::string scratch_plan_text(const footprint::ScratchPlan& plan);
std::string scratch_made_text(const footprint::ScratchPlan& plan);
std::string scratch_list_text(const std::vector<ScratchShown>& pools);
// A line for each; `dry_run`: nothing was removed.
std::string scratch_removed_text(const footprint::ScratchRemovals& removals);

// What `create` would make: {schema: "radosload.scratch/1", planned: {name, osds: [ID], size,
//  pg_num, upmaps, rule, pgs_by_osd: {ID: COUNT}}}
std::string scratch_plan_json(const footprint::ScratchPlan& plan);
// {schema: "radosload.scratch/1",
//  pools: [{name, state: "ready"|"making"|"unmarked"|"rule", pool_id, osds: "0,3-5" or null, size,
//           pg_num, upmaps, rule, since, host, pid, pgs_by_osd: {ID: COUNT} or null}]}
std::string scratch_list_json(const std::vector<ScratchShown>& pools);
// {schema: "radosload.scratch/1",
//  removed: [{name, fate: "removed"|"would"|"held"|"failed", detail}]}
std::string scratch_removed_json(const footprint::ScratchRemovals& removals);

}  // namespace radosload::views
