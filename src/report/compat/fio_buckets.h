// Internal: the coarse tables in fio's JSON: the shares of operations by latency and by the number
// in flight.
#pragma once

#include <string_view>
#include <vector>

#include "record/run_record.h"

namespace radosload::report {

struct FioShare {
  std::string_view label;  // "20": below 20, and not below the label of the entry before
  double part = 0;         // of 1
};
using FioShares = std::vector<FioShare>;

struct FioLatencyShares {
  FioShares ns;  // below 1 us
  FioShares us;  // below 1 ms
  FioShares ms;  // everything else, up to ">=2000"
};
// By lat, as in fio; reads, writes and trims together.
FioLatencyShares fio_latencies(const record::RunRecord& record);

// "1", "2", "4", ... ">=64": each label covers all depths up to the next label. fio counts the
// depth at each submission; radosload knows the depth at the end of each second and weighs it by
// the submissions in that second.
FioShares fio_depths(const record::RunRecord& record);

}  // namespace radosload::report
