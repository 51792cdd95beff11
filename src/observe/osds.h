// Asks a cluster what its OSDs are. The mons know most of it; what only the mgr knows (fill and
// PGs) may be missing, and is then listed as not seen.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"

#include "placement/osd_inventory.h"

namespace radosload::observe {

Result<placement::OsdInventory> fetch_osds(AdminCommands& commands);

// The kinds of some OSDs, with one command to the mons.
using OsdKinds = std::map<std::int32_t, placement::OsdKind>;
Result<OsdKinds> fetch_kinds(AdminCommands& commands, const std::vector<std::int32_t>& osds);

}  // namespace radosload::observe
