// What a document may decide that is named as a file, and so may come from another user: what is
// measured, but not as which user, by which config, nor whether something may be overwritten.
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "plan/options.h"

namespace radosload::cli {

// The permission that the saved plan needs and the command line does not give; null if none.
const plan::Option* right_not_given(const RunPlan& saved, const RunPlan& said);

// User, config and the like become those of the command line.
Status replace_rights(RunPlan& saved, const RunPlan& said);

}  // namespace radosload::cli
