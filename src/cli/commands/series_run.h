// Runs sweeps and suites: their steps, one table, and the rest of an unfinished series.
#pragma once

#include "radosload/result.h"

#include "cli/options/run_words.h"
#include "plan/steps.h"

namespace radosload::cli {

Result<Exit> run_series(const RunWords& words, const plan::Steps& steps);
// --resume without other options: continues the saved series.
Result<Exit> resume_series(const RunWords& words);

}  // namespace radosload::cli
