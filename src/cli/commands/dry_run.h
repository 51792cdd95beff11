// --dry-run: shows what a run would do, and changes nothing.
#pragma once

#include <string>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "record/series.h"

namespace radosload::cli {

// Refuses the formats that are for results only.
Status check_preview_format(const std::string& format);

// `format` is text or json.
Result<Exit> do_dry_run(const std::string& format, const RunPlan& plan);

// The same of a series. Fails if a step would be refused.
Result<Exit> preview_series(const record::Series& series, const std::string& format);

}  // namespace radosload::cli
