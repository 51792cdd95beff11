// Mean, deviation and extremes of a list of values, and the seconds of a run that they are taken
// from.
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

// Of the measured phase, and at least half a second long. A shorter row at its end is too short for
// a rate.
bool is_full_row(const record::RunRecord& record, const record::TimelineRow& row);
std::vector<const record::TimelineRow*> full_rows(const record::RunRecord& record);
// The full rows that a deviation from second to second is taken from. In a long run old rows cover
// several seconds and vary less, so they are left out, unless there are no others.
std::vector<const record::TimelineRow*> full_seconds(const record::RunRecord& record);

}  // namespace radosload::report
