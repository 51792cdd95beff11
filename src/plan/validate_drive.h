// What a plan for a drive must not say, and what only a plan for a drive may say. Part of
// validate().
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::plan {

Status check_drive(const RunPlan& plan);

}  // namespace radosload::plan
