// What a cleanup did with a run, as people read it.
#pragma once

#include <string>

#include "footprint/cleanup.h"

namespace radosload::views {

// Without a newline at its end; names that other programs wrote are escaped.
std::string cleanup_line(const footprint::RunCleanup& run);

}  // namespace radosload::views
