// Computes what one member of a session does of the whole load. Pure.
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "workload/layout.h"

namespace radosload::session {

// The plan of one member, with its own depth and limits. The rate stays that of all members,
// because their lanes take turns (workload::Part). With --share all each member has the whole rate,
// so the rate of the plan is that rate times the number of members.
Result<RunPlan> plan_of_member(const RunPlan& whole, workload::Part part);

}  // namespace radosload::session
