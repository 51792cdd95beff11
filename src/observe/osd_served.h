// The counters of an OSD that tell how many operations it has served. Pure, except for the one
// function that asks, which needs an AdminCommands with the rights.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "radosload/admin_commands.h"
#include "radosload/result.h"
#include "radosload/served_counters.h"

namespace radosload::observe {

// `perf dump osd`. A dump without a count of operations is an error.
Result<ServedCounters> parse_served(const std::string& json);
Result<ServedCounters> fetch_served(AdminCommands& commands, std::int32_t osd);

// By how much they grew; nothing when one of them went down, so that they were reset.
std::optional<ServedCounters> growth(const ServedCounters& before, const ServedCounters& after);

}  // namespace radosload::observe
