// Asks a cluster for its osdmap: one command, for all that its answer tells.
#pragma once

#include <cstdint>
#include <string_view>

#include "radosload/admin_commands.h"
#include "radosload/result.h"

#include "placement/osd_map.h"

namespace radosload::observe {

inline constexpr std::string_view osd_dump_command = R"({"prefix": "osd dump", "format": "json"})";

// Without what the pools hold.
Result<placement::OsdMap> fetch_osd_map(AdminCommands& commands);
// The one of an epoch; the mons keep some hundreds.
Result<placement::OsdMap> fetch_osd_map(AdminCommands& commands, std::uint64_t epoch);

}  // namespace radosload::observe
