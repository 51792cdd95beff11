// Bars made of characters: a row of columns of different heights, and a bar of a given length.
// Pure, and internal to the room.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/style.h"

namespace radosload::report {

// A value for each column; empty if unknown.
using Points = std::vector<std::optional<double>>;

// The highest of the points; 0 without any.
double highest(const Points& points);

// One character for each point, from zero to `top`: "0" for zero, a space for an unknown value, or
// one of eight heights.
std::string sparkline(const Points& points, double top, const Style& style);

// A bar that fills `share` (0 to 1) of `columns`, without trailing spaces. Any share above 0 gets
// at least the smallest visible bar.
std::string share_bar(double share, std::size_t columns, const Style& style);

}  // namespace radosload::report
