// A plan as JSON, in records, series and previews: every option by its name, defaults included.
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include <nlohmann/json_fwd.hpp>

namespace radosload::plan {

// Sizes and durations as an option takes them ("4k", "1m"), counts as numbers, switches as true and
// false; null where an option has no meaning for the plan.
nlohmann::ordered_json plan_json(const RunPlan& plan);

// The reverse. An option that the document lacks has its default, so that one from before there was
// that option is read as well; an unknown key is an Error that names it. Whether the
// options contradict each other is not looked at: a report of such a run is still worth reading.
Result<RunPlan> plan_from(const nlohmann::ordered_json& json);

// Whether it can be run: the pattern is whole, and nothing contradicts itself.
Status check_runnable(const RunPlan& plan);

}  // namespace radosload::plan
