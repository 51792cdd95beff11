// Whether an OSD compacted its RocksDB while it counted: that competes with the load. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "radosload/osd_counters.h"

namespace radosload::observe {

// What shows it in the growth of the OSD's counters, in words; empty: nothing. Release 18 says
// that a compaction is in progress; 16 only shows how much was written to RocksDB's tables, and by
// much more than went through its WAL that is a compaction.
std::string compaction_signs(const OsdCounters& growth);

}  // namespace radosload::observe
