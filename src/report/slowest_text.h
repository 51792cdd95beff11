// The table of the slowest operations, and how many of them were found on the OSDs.
#pragma once

#include <string>

#include "record/run_record.h"
#include "report/layout.h"

namespace radosload::report {

// Empty without such operations.
Sheet slowest_sheet(const record::RunRecord& record);
std::string slowest_table(const record::RunRecord& record);
// How many of them were found on the OSDs, and why not all. Empty when no OSD was asked.
std::string slow_search_text(const record::RunRecord& record);
// "replica osd.2, 4.2 s of 4.3 s"
std::string waited_text(const record::Waited& waited, std::int32_t primary);

}  // namespace radosload::report
