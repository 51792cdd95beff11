// One round: visits each OSD once, spread over the interval, a few reads and writes one after the
// other at each.
#pragma once

#include <cstdint>
#include <vector>

#include "radosload/units.h"

#include "probe/budget.h"
#include "probe/facts.h"
#include "probe/prober.h"

namespace radosload::probe {

struct RoundWish {
  std::uint64_t number = 0;  // of the round; chooses the objects
  Samples samples = {};      // of each OSD
  Time begin{0};             // when the first visit is due
  Time spread{0};            // the last one is due so much later
};

// Visits in the order of the targets. An OSD whose operation fails is not asked again in this
// round. Ends early when the clock ends: OSDs that were not visited then are left out.
std::vector<Visit> visit_all(Prober& prober, Clock& clock, const std::vector<Target>& targets,
                             const RoundWish& wish);

}  // namespace radosload::probe
