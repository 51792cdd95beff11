// --dry-run: what a run would do, without doing it.
#pragma once

#include <string>

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::cli {

// `format` is that of the results; text and json are understood here.
Result<Exit> do_dry_run(const std::string& format, const RunPlan& plan);

}  // namespace radosload::cli
