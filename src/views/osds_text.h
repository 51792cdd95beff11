// The text and the JSON of `radosload osds`: the OSDs, and which of them form fair pairs. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "placement/osd_inventory.h"
#include "placement/osd_match.h"

namespace radosload::views {

using Matches = std::optional<std::vector<placement::KindMatch>>;  // nothing: not asked for

std::string osds_text(const placement::OsdInventory& inventory);
std::string matches_text(const placement::OsdInventory& inventory,
                         const std::vector<placement::KindMatch>& matches);
// A paragraph for the end of both; empty when all was seen.
std::string unseen_text(const placement::OsdInventory& inventory);

// {schema: "radosload.osds/1",
//  osds: [{id, up, in, kind, class, host, hostname, location: {TYPE: NAME},
//          data: {devices, model, rotational, size_bytes, shared_by_osds}, fast: the same or null,
//          min_alloc_size_bytes, version, made_by_version, cpu, kernel, memory_bytes,
//          fill, pgs, primaries, mclock_capacity_iops, settings: {NAME: VALUE},
//          complaints: {CHECK: TEXT}}],
//  unseen: [TEXT],
//  matches: null, or [{kinds: [A, B], class, osds: [[ID], [ID]],
//            pairs: [{osds: [A, B], burden, confounders: [{what, values: [A, B], gravity}]}],
//            nearest: a pair or null, obstacles: {WHAT: PAIRS}, scope: TEXT}]}
// What is not known is null; fill is a share of 1.
std::string osds_json(const placement::OsdInventory& inventory, const Matches& matches);

}  // namespace radosload::views
