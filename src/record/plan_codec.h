// The plan as a record carries it: every option in force, by its long name, defaults included.
#pragma once

#include "radosload/run_plan.h"

#include "record/json_text.h"

namespace radosload::record {

// Sizes and durations as an option takes them ("4k", "1m"), counts and rates as numbers. Beside
// the options stand "op" and "access", which the pattern's name implies.
JsonText plan_json(const RunPlan& plan);

}  // namespace radosload::record
