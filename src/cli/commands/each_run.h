// --each: the same load on one OSD at a time, as a series of runs.
#pragma once

#include "radosload/result.h"

#include "cli/options/run_words.h"
#include "plan/steps.h"

namespace radosload::cli {

Result<Exit> run_each(const RunWords& words, const plan::Steps& steps);

}  // namespace radosload::cli
