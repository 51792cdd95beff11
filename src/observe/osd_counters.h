// What an OSD counts of its own work, from its `perf dump`. Pure, except for the one function that
// asks, which needs an AdminCommands with the rights.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "radosload/admin_commands.h"
#include "radosload/osd_counters.h"
#include "radosload/result.h"

namespace radosload::observe {

// The whole of `perf dump`. What a release does not have is missing; a dump without any counter
// that we know is an error.
Result<OsdCounters> parse_counters(const std::string& perf_dump_json);
Result<OsdCounters> fetch_counters(AdminCommands& commands, std::int32_t osd);

// By how much they grew; levels are those of `after`. A counter that one of the two lacks is
// missing. Nothing when one that only grows went down: the OSD counts from zero again.
std::optional<OsdCounters> growth(const OsdCounters& before, const OsdCounters& after);

}  // namespace radosload::observe
