// The knee of a load sweep: the lowest load that reaches 90 % of the best throughput of the sweep.
// Above it, more load mostly adds waiting time. Pure.
//
// A knee is looked for only if exactly one of qd, clients and rate varies and at least three of its
// steps are done. If other settings vary as well (bs=4k:64k), each of their values has its own
// knee. If only the highest load reaches 90 %, there is no knee: throughput may still rise.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/series.h"

namespace radosload::report {

struct Knee {
  std::size_t step = 0;  // index into the steps of the series
  std::size_t best = 0;  // index of the step with the best throughput
  bool highest = false;  // the highest load of the sweep: no knee was reached
};

std::vector<Knee> knees_of(const record::Series& series);

// "qd=16: 1,012 IOPS, 92 % of the best (1,100 at qd=64); mean latency 15.8 ms (58.1 ms at qd=64)"
std::string knee_text(const record::Series& series, const Knee& knee);

}  // namespace radosload::report
