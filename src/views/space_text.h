// The text of a space plan, for --dry-run.
#pragma once

#include <string>

#include "placement/space_plan.h"

namespace radosload::views {

// What goes into the pool, a row for each OSD, and what could not be seen. Ends with a newline.
std::string space_text(const placement::SpacePlan& plan);

}  // namespace radosload::views
