// Who this process is, so that others can tell whether it still runs.
#pragma once

#include <cstdint>

#include "footprint/manifest.h"

namespace radosload::footprint {

// This process; the caller fills in `client` from its cluster handle.
Owner this_process();

// What this machine can tell of an owner.
enum class OwnerState : std::uint8_t {
  runs,     // a process of this machine, with that pid and start
  gone,     // it ran on this machine (and in this pid namespace) and has certainly ended
  unknown,  // of another machine or container, or from before this one was started again
};
OwnerState state_of(const Owner& owner);

// True when the owner ran on this machine (and in this pid namespace) and has certainly ended.
// False: it may still run.
bool certainly_gone(const Owner& owner);

}  // namespace radosload::footprint
