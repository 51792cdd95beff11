// What the counters of OSDs over an interval say about the interval itself: compactions, and OSDs
// whose compactions could not be seen. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "radosload/units.h"

#include "observe/disturbances.h"
#include "record/osd_window.h"

namespace radosload::watch {

// Why an OSD has no growth of its counters, when someone has set them to zero.
inline constexpr std::string_view counters_were_reset = "its counters were reset";

// Times of the windows count from `start`.
std::vector<observe::Disturbance> compactions_in(const std::vector<record::OsdWindow>& windows,
                                                 Time start);

// Whose counters were reset meanwhile: only its figures are lost.
std::vector<observe::Disturbance> resets_in(const std::vector<record::OsdWindow>& windows,
                                            Time start);

// Why OSDs were not watched up to `end`, a line for each: it has no figures, or they end more than
// 10 s before.
std::vector<std::string> uncounted_osds(const std::vector<record::OsdWindow>& windows, Time end);

}  // namespace radosload::watch
