// The histograms that an OSD keeps of the latencies of its operations (`perf histogram dump`).
// Pure, except for the function that asks, which needs an AdminCommands with the rights.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "radosload/admin_commands.h"
#include "radosload/osd_counters.h"
#include "radosload/result.h"

namespace radosload::observe {

using OsdLatencies = std::map<std::string, LatencyBuckets, std::less<>>;

// By "read" and "write". A histogram whose axis is not the known one is left out, since its unit is
// unknown; an answer without any known one is an error.
Result<OsdLatencies> parse_latencies(const std::string& json);
// The answer, which parse_latencies() reads.
Result<std::string> fetch_latencies(AdminCommands& commands, std::int32_t osd);

}  // namespace radosload::observe
