// Says whether the operations of a run went to the intended OSDs, by sampling operations in flight
// and by the counters of the OSDs. Pure.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

// "verified: 57 of 57 sampled operations"; empty when nothing was sampled.
std::string routing_text(const record::RunRecord& record);
// A row for each OSD of a pinned run, or of a run with OSD counters; otherwise empty.
std::string routing_table(const record::RunRecord& record);

}  // namespace radosload::report
