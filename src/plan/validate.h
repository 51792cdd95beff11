// Checks a plan as a whole, for options that contradict each other. Each single option is checked
// when it is read (plan/options).
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::plan {

// Refuses what contradicts itself, with what to change.
Status validate(const RunPlan& plan);

}  // namespace radosload::plan
