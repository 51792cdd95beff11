// One OSD at a time: a row for each OSD over all its rounds, with what lies between the rounds.
// Internal to the room.
#pragma once

#include <string>

#include "record/series.h"

namespace radosload::report {

inline constexpr const char* each_name = "each";

std::string each_text(const record::Series& series);

}  // namespace radosload::report
