// Internal: the coarse tables of fio's JSON, shares of all operations by their latency and by how
// many were in flight.
#pragma once

#include <string_view>
#include <vector>

#include "record/run_record.h"

namespace radosload::report {

struct FioShare {
  std::string_view label;  // "20": below 20 and not below the label before
  double part = 0;         // of 1
};
using FioShares = std::vector<FioShare>;

struct FioLatencyShares {
  FioShares ns;  // below 1 us
  FioShares us;  // below 1 ms
  FioShares ms;  // everything else, up to ">=2000"
};
// By lat, as fio does; of reads, writes and trims together.
FioLatencyShares fio_latencies(const record::RunRecord& record);

// "1", "2", "4", ... ">=64": a label stands for itself and all up to the next. fio looks at each
// submission; we know what was in flight at the end of each second, and weigh it by what was
// submitted in it.
FioShares fio_depths(const record::RunRecord& record);

}  // namespace radosload::report
