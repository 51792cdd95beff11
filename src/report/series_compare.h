// Two or more series side by side, step by step. Arithmetic, no verdict, as with runs; and kbench's
// own comparison where all of them are its.
#pragma once

#include <string>
#include <vector>

#include "radosload/result.h"

#include "record/series.h"

namespace radosload::report {

// A step that two series have in common, by its name, and that both have done.
struct StepPair {
  const record::SeriesStep* one;
  const record::SeriesStep* other;
};
// Point into the two series. Fails when there is none.
Result<std::vector<StepPair>> common_steps(const record::Series& one, const record::Series& other);

// The first against each of the others. Fails when two of them have no step in common that both
// have done.
Result<std::string> compare_series_text(const std::vector<record::Series>& series);

}  // namespace radosload::report
