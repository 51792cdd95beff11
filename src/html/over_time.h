// The part of a page that shows one run over time (HTML): its picture and its events. Pure, and
// internal to the room.
#pragma once

#include <cstddef>
#include <string>

#include "record/run_record.h"

namespace radosload::html {

// `name` is unique within the page. A chart that can be zoomed shows at most `columns` parts.
std::string over_time(const std::string& name, const record::RunRecord& record,
                      std::size_t columns);

}  // namespace radosload::html
