// Who this process is, so that others can tell whether it still runs.
#pragma once

#include "footprint/manifest.h"

namespace radosload::footprint {

// This process; the caller fills in `client` from its cluster handle.
Owner this_process();

// True when the owner ran on this machine (and in this pid namespace) and has certainly ended.
// False: it may still run.
bool certainly_gone(const Owner& owner);

}  // namespace radosload::footprint
