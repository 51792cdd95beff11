// What a drive is worth to an OSD, from the steps of the suite drive-profile.
// Internal to the room.
#pragma once

#include <string>

#include "record/series.h"

namespace radosload::report {

std::string drive_profile_text(const record::Series& series);

}  // namespace radosload::report
