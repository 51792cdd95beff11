// What a cleanup decided about each run, as lines of the log.
#pragma once

#include "footprint/cleanup.h"

namespace radosload::footprint {

void log_decision(const RunCleanup& run);

}  // namespace radosload::footprint
