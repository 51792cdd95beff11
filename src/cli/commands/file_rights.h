// Limits what a document that was named as a file may decide, because it may come from another
// user. It decides what is measured, but not the user, the config, or whether files may be
// overwritten.
#pragma once

#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "plan/options.h"

namespace radosload::cli {

// What the plan does that needs a permission: "--power-cmd 'ipmi-watts host1'".
std::vector<std::string> rights_of(const RunPlan& plan);

// The permission that the saved plan needs and the command line lacks; null if none.
const plan::Option* right_not_given(const RunPlan& saved, const RunPlan& said);

// Replaces the user, config and similar options by those of the command line.
Status replace_rights(RunPlan& saved, const RunPlan& said);

}  // namespace radosload::cli
