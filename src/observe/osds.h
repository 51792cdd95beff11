// Asks a cluster what its OSDs are. The mons know most of it; what only the mgr knows (fill and
// PGs) may be missing, and is then listed as not seen.
#pragma once

#include "radosload/admin_commands.h"
#include "radosload/result.h"

#include "placement/osd_inventory.h"

namespace radosload::observe {

Result<placement::OsdInventory> fetch_osds(AdminCommands& commands);

}  // namespace radosload::observe
