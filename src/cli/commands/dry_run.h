// --dry-run: shows what a run would do, and does nothing.
#pragma once

#include <string>

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::cli {

// Refuses the formats that are for results only.
Status check_preview_format(const std::string& format);

// `format` is text or json.
Result<Exit> do_dry_run(const std::string& format, const RunPlan& plan);

}  // namespace radosload::cli
