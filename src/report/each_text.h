// The table of --each: a row for each OSD, with the mean, lowest and highest of its rounds.
// Internal to the room.
#pragma once

#include <string>

#include "record/series.h"

namespace radosload::report {

inline constexpr const char* each_name = "each";

std::string each_text(const record::Series& series);

}  // namespace radosload::report
