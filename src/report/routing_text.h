// Where the operations of a run went, for people: what was seen in flight, and what the OSDs
// counted. Pure.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

// A line or two: "each of 57 operations looked at in flight was on its way to its OSD"; empty when
// nobody looked.
std::string routing_text(const record::RunRecord& record);
// Of a pinned run, or one whose OSDs were asked, a row for each of them; else empty.
std::string routing_table(const record::RunRecord& record);

}  // namespace radosload::report
