// Who still uses a run: read from the clients that watch its manifest.
#pragma once

#include <list>
#include <string>

#include "footprint/manifest.h"

#include <rados/librados.hpp>

namespace radosload::footprint {

// "" when no client uses it. The owner that the manifest names comes before any other: what another
// one left when it was killed stays among the watchers for 30 s, in any order.
std::string lease_holder(const std::list<obj_watch_t>& watchers, const Manifest& manifest);

}  // namespace radosload::footprint
