// Asks a cluster for what a space plan needs. Without access to the mgr it uses what the mons know
// of the pool, and lists what it could not read.
#pragma once

#include <string>

#include "radosload/admin_commands.h"
#include "radosload/result.h"

#include "observe/cluster_status.h"
#include "placement/space_view.h"

namespace radosload::observe {

// All PGs of the cluster, with little of each.
inline constexpr const char* pgs_brief_command =
    R"({"prefix": "pg dump", "dumpcontents": ["pgs_brief"], "format": "json"})";

// What the status tells already is not asked again.
Result<placement::SpaceView> fetch_space(AdminCommands& commands, const ClusterStatus& status,
                                         const std::string& pool);
// Takes what changes within seconds into the view: the PGs, and the OSDs that are down. Without an
// answer, what was seen last stands.
void refresh_pgs(AdminCommands& commands, placement::SpaceView& view);
Result<placement::PgMap> fetch_pgs(AdminCommands& commands, std::int64_t pool);

}  // namespace radosload::observe
