// Whether an OSD may be stopped: the manager knows which PGs would be offline without it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"

namespace radosload::timers {

// Fails as a refusal if PGs would be offline without the OSD, other than those of the pools that
// may be.
Status ok_to_stop(AdminCommands& commands, std::int32_t osd,
                  const std::vector<std::string>& may_be_offline = {});

}  // namespace radosload::timers
