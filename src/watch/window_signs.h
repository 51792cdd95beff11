// Derives from OSD counters over an interval which disturbances it had: compactions, and OSDs whose
// compactions could not be seen. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "radosload/units.h"

#include "observe/disturbances.h"
#include "record/osd_window.h"

namespace radosload::watch {

// The reason for missing growth of an OSD's counters when they were set to zero.
inline constexpr std::string_view counters_were_reset = "its counters were reset";

// The times of the windows count from `start`.
std::vector<observe::Disturbance> compactions_in(const std::vector<record::OsdWindow>& windows,
                                                 Time start);

// OSDs whose counters were reset in the interval: only the figures of these OSDs are lost.
std::vector<observe::Disturbance> resets_in(const std::vector<record::OsdWindow>& windows,
                                            Time start);

// What other clients had of the operations of an OSD, where that is most and clearly more than
// none: in the run's own pool as well.
std::vector<observe::Disturbance> others_in(const std::vector<record::OsdWindow>& windows,
                                            Time start);

// Why OSDs were not watched until `end`, a line for each: it has no figures, or they end more than
// 10 s earlier.
std::vector<std::string> uncounted_osds(const std::vector<record::OsdWindow>& windows, Time end);

}  // namespace radosload::watch
