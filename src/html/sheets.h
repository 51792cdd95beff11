// Tables of the text report, as tables of a page (HTML). Pure, and internal to the room.
#pragma once

#include <string>

#include "report/layout.h"

namespace radosload::html {

// Nothing without parts.
std::string sheet_of(const report::Sheet& parts);

}  // namespace radosload::html
