// What a plan as a whole may not say: options that contradict each other. What is wrong with one
// option alone is found when it is read (plan/options).
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::plan {

// Refuses what contradicts itself, with what to change.
Status validate(const RunPlan& plan);

}  // namespace radosload::plan
