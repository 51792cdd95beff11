// The part of a page that shows one run over time (HTML): its picture and its events. Pure, and
// internal to the room.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::html {

// `name` is unique within the page.
std::string over_time(const std::string& name, const record::RunRecord& record);

}  // namespace radosload::html
