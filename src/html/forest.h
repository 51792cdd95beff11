// The picture of verdicts: for each metric and scope the ratio with its interval, beside the band
// in which changes do not matter (SVG). Empty without any ratio. Pure, and internal to the room.
#pragma once

#include <string>
#include <vector>

#include "study/arm_figures.h"

namespace radosload::html {

// The contests of one pair of arms. `name` is unique within the page.
std::string forest_plot(const std::string& name, const std::vector<study::Contest>& contests,
                        const stats::ArmRules& rules);

}  // namespace radosload::html
