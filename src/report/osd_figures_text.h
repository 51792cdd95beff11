// Figures of single OSDs: a table of the OSDs that the run was pinned to, and the slowest OSD. An
// OSD's figures are those of the operations that it served as primary. Pure.
#pragma once

#include <string>

#include "record/run_record.h"
#include "report/layout.h"

namespace radosload::report {

// Whether the run was pinned to OSDs.
bool pinned(const record::RunRecord& record);
// "OSDs 0-2 as primaries, each with its own load"; empty when the run was not pinned.
std::string pins_text(const record::RunRecord& record);
// A row for each OSD and kind of operation; empty when no OSD is known.
Sheet osds_sheet(const record::RunRecord& record);
std::string osds_table(const record::RunRecord& record);
// "osd.3: mean read 4.52 ms; median OSD 1.13 ms (7 OSDs); osd.3 serves 14 % of reads"; empty when
// no OSD is much slower than the median.
std::string slowest_text(const record::RunRecord& record);
// "osd.3: PGs on 3,1 and 3,2 (12 PGs)", one OSD after the other; empty when not pinned.
std::string acting_text(const record::RunRecord& record);
// Says that a write through a pinned OSD waits for its replicas; empty where this does not apply.
std::string led_text(const record::RunRecord& record);

}  // namespace radosload::report
