// The seconds of a run as a sample: how much they differ from one another. Shared by the shapes of
// other programs, which all print such figures.
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

// The rows of the measured phase that are seconds: a stump at the end says nothing about seconds,
// and neither does the draining.
std::vector<const record::TimelineRow*> full_seconds(const record::RunRecord& record);

}  // namespace radosload::report
