// A trace in a page of text: what was done, how long it took, on which OSDs, and which operations
// were the slowest.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "record/run_record.h"
#include "trace/trace_scan.h"

namespace radosload::report {

struct TraceFacts {
  std::string file;
  std::uint64_t rows = 0;
  bool ended = true;          // as TraceFile has it
  std::uint64_t unsound = 0;  // of the rows
  Bytes object_size = {};     // 0: not known, and places are shown as offsets only
};

std::string trace_summary(const TraceFacts& facts, const record::RunRecord& record,
                          const std::vector<trace::SlowOp>& slowest);

}  // namespace radosload::report
