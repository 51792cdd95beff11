// Compares two or more series step by step. It calculates differences without a verdict, as for
// runs; if all series are of kbench, it prints kbench's own comparison.
#pragma once

#include <string>
#include <vector>

#include "radosload/result.h"

#include "record/series.h"

namespace radosload::report {

// A step that both series have by the same name and have done.
struct StepPair {
  const record::SeriesStep* one;
  const record::SeriesStep* other;
};
// The pairs point into the two series. Fails when there is none.
Result<std::vector<StepPair>> common_steps(const record::Series& one, const record::Series& other);

// Compares the first series with each of the others. Fails when such a pair has no common step that
// is done.
Result<std::string> compare_series_text(const std::vector<record::Series>& series);

}  // namespace radosload::report
