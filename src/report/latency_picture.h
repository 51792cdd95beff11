// Draws the distribution of latencies: a bar for each step of a scale that grows in steps of 1, 2
// and 5. Pure, and internal to the room.
#pragma once

#include <string>
#include <vector>

#include "record/histogram.h"
#include "report/style.h"

namespace radosload::report {

// A line for each step that has operations or lies between two that have; three or more empty steps
// in a row become one line. All in one unit. No line is wider than style.columns. Empty for an
// empty histogram, or if there is no room for a bar.
std::vector<std::string> latency_picture(const record::Histogram& latency, const Style& style);

// The distribution in one line for the live view: "0.5 ms [bars] 40 ms", from the fastest to the
// slowest operation on a log scale.
std::string latency_line(const record::Histogram& latency, std::size_t columns, const Style& style);

}  // namespace radosload::report
