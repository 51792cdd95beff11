// A run that is one member of a session: joins it, runs this member's load, and prints the joint
// report.
#pragma once

#include <optional>

#include "radosload/result.h"

#include "cli/options/run_words.h"

namespace radosload::cli {

// `plan`: of `run`; without one the member takes the session's plan (`join`). The words' plan names
// the session, the pool and the namespace.
Result<Exit> run_in_session(const RunWords& words, const std::optional<RunPlan>& plan);

}  // namespace radosload::cli
