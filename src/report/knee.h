// The knee of a sweep of load: the lowest load that reaches 90 % of the best throughput of the
// sweep. More load adds little throughput, and mostly waiting time. Pure.
//
// It is looked for only where exactly one of qd, clients and rate varies and at least three of its
// steps are done; where other settings vary as well (bs=4k:64k), once for each of their values.
// Where the highest load is the first to reach 90 %, there is no knee: throughput may still rise.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/series.h"

namespace radosload::report {

struct Knee {
  std::size_t step = 0;  // index into the steps of the series
  std::size_t best = 0;  // the step of the best throughput
  bool highest = false;  // the highest load of the sweep: no knee was reached
};

std::vector<Knee> knees_of(const record::Series& series);

// "qd=16: 1,012 IOPS, 92 % of the best (1,100 at qd=64); mean latency 15.8 ms (58.1 ms at qd=64)"
std::string knee_text(const record::Series& series, const Knee& knee);

}  // namespace radosload::report
