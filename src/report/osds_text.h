// What a record says of single OSDs: a table of those that a run was pinned to, and the one that
// stands out. A figure of an OSD is that of the operations it led: a write is answered when all
// replicas or shards have it. Pure.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

// Whether the run was pinned to OSDs.
bool pinned(const record::RunRecord& record);
// "OSDs 0-2 as primaries, each with a load of its own"; empty when it was not.
std::string pins_text(const record::RunRecord& record);
// A row for each OSD and kind of operation, with what it has of each; empty when none is known.
std::string osds_table(const record::RunRecord& record);
// "osd.3: reads take 14 ms there, and 6.1 ms on the OSD in the middle of 7"; empty when no OSD
// stands out.
std::string slowest_text(const record::RunRecord& record);
// "osd.3: PGs on 3,1 and 3,2 (12 PGs)", an OSD after the other; empty when not pinned.
std::string acting_text(const record::RunRecord& record);
// What a write's latency is, where it is led by a pinned OSD; empty where nothing is to be said.
std::string led_text(const record::RunRecord& record);

}  // namespace radosload::report
