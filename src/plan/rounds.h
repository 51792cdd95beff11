// The same load on one OSD after the other, several times over: rounds that each visit every OSD
// once, in an order of their own, so that nothing that drifts with time falls on the same OSD
// always. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/steps.h"

namespace radosload::plan {

// The name of the suite that such steps make up.
inline constexpr const char* each_suite = "each";

// Steps with the settings "round" and "osd". The plan's seed settles the order.
Result<Steps> one_at_a_time(const Step& single, const std::string& title,
                            const std::vector<std::int32_t>& osds, std::uint32_t rounds);

}  // namespace radosload::plan
