// Moments of the wall clock as text: "2026-11-21T02:23:57.873709Z". The one place that writes them
// to the microsecond, and reads them as Ceph and radosload write them. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "radosload/units.h"

namespace radosload::base {

// In UTC, cut to whole microseconds. `since_1970`: as std::chrono::system_clock counts.
std::string moment_text(Time since_1970);
// The time of day only: "02:23:57.873709".
std::string time_of_day_text(Time since_1970);

// Ends in "Z", "+0000" or "+01:00"; without any of them it is UTC. Digits after the ninth are
// dropped. Nothing for any other text.
std::optional<Time> parse_moment(std::string_view text);

}  // namespace radosload::base
