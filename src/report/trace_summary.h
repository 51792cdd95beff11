// Prints a summary of a trace on one page: the operations, their times, their OSDs, and the slowest
// operations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "record/run_record.h"
#include "trace/trace_scan.h"

namespace radosload::report {

struct TraceFacts {
  std::vector<std::string> files;
  std::uint64_t rows = 0;
  bool ended = true;          // the same as TraceFile::ended()
  std::uint64_t unsound = 0;  // the number of invalid rows
  Bytes object_size = {};     // 0: unknown; places are shown as offsets only
};

std::string trace_summary(const TraceFacts& facts, const record::RunRecord& record,
                          const std::vector<trace::SlowOp>& slowest);

}  // namespace radosload::report
