// --each: the same load on one OSD after the other, in several rounds. Each round visits every OSD
// once, in its own order, so that a drift over time does not always hit the same OSD. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/steps.h"

namespace radosload::plan {

// The name of the suite that such steps make up.
inline constexpr const char* each_suite = "each";

// Steps with the settings "round" and "osd". The plan's seed determines the order.
Result<Steps> one_at_a_time(const Step& single, const std::string& title,
                            const std::vector<std::int32_t>& osds, std::uint32_t rounds);

}  // namespace radosload::plan
