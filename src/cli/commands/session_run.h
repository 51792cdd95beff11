// A run that is one member of a session: coming to it, this member's load, and the joint report.
#pragma once

#include <optional>

#include "radosload/result.h"

#include "cli/options/run_words.h"

namespace radosload::cli {

// `plan`: of `run`; without one the member takes the session's (`join`). The words name the
// session, the pool and the namespace in their plan.
Result<Exit> run_in_session(const RunWords& words, const std::optional<RunPlan>& plan);

}  // namespace radosload::cli
