// Sweeps and suites: running their steps, printing one table, and continuing an unfinished series.
#pragma once

#include "radosload/result.h"

#include "cli/options/run_words.h"
#include "plan/steps.h"

namespace radosload::cli {

Result<Exit> run_series(const RunWords& words, const plan::Steps& steps);
// --resume with nothing else: the saved series by itself.
Result<Exit> resume_series(const RunWords& words);

}  // namespace radosload::cli
