// Mean, deviation and extremes of a list of values, and the seconds of a run to take them from.
#pragma once

#include <cstddef>
#include <vector>

#include "record/run_record.h"

namespace radosload::report {

struct Spread {
  std::size_t samples = 0;
  double mean = 0;
  double deviation = 0;  // of a sample: n - 1
  double max = 0;
  double min = 0;
};

// All zero without values.
Spread spread_of(const std::vector<double>& values);

// The rows of the measured phase that last half a second or more. What is shorter, at its end, is
// too short for a rate.
std::vector<const record::TimelineRow*> full_rows(const record::RunRecord& record);
// Of these, what a deviation from second to second is taken from: not the long rows of a long run's
// past, which vary less. All, when there are no others.
std::vector<const record::TimelineRow*> full_seconds(const record::RunRecord& record);

}  // namespace radosload::report
