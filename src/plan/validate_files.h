// What a plan with a file system (--fs) must not be combined with, and what belongs to --fs only.
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::plan {

Status check_files(const RunPlan& plan);

}  // namespace radosload::plan
