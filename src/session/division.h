// What one member of a session does of the whole load. Pure.
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "workload/layout.h"

namespace radosload::session {

// The plan of one member: the depth and the limits that are its own. The rate stays that of all,
// because lanes of all members take turns (workload::Part); with --share all it is that of each,
// times their number.
Result<RunPlan> plan_of_member(const RunPlan& whole, workload::Part part);

}  // namespace radosload::session
