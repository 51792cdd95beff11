// Cells with all of their histograms in a few bytes: a journal has hundreds of them a second, and
// the joint record of a session adds up millions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/cell.h"

namespace radosload::record {

std::string packed_cells(const std::vector<Cell>& cells);
// Untrusted bytes cost time in proportion to their length.
bool are_packed_cells(std::string_view bytes);
// Adds each cell to the one of its kind and OSD. Of bytes that are packed cells.
void add_packed_cells(std::vector<Cell>& cells, std::string_view bytes);

}  // namespace radosload::record
