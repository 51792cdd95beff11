// What of a study's timers would be refused, asked of the cluster before the first cell.
#pragma once

#include <vector>

#include "radosload/result.h"

#include "cli/commands/study_plans.h"
#include "study/document.h"

namespace radosload::cli {

// One error for each timer and arm: an OSD is down, or must not be stopped.
std::vector<Error> refused_timers(const study::StudyDocument& document, const StudyRunPlans& plans);

}  // namespace radosload::cli
