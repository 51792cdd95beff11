// A plan read back from the record that carries it, so that a series can be taken up again without
// its words. The reverse of record/plan_codec.h.
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "record/json_text.h"

namespace radosload::run {

// Exactly the plan that was recorded: whatever in it this program does not know is an Error.
Result<RunPlan> plan_from(const record::JsonText& recorded);

}  // namespace radosload::run
