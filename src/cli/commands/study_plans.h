// From the words of a study to what its cells need: the plan of a run for each arm and load, and
// the units of each arm. Everything is checked here, before the first cell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "study/document.h"
#include "study/study_draft.h"

namespace radosload::cli {

// Ceph's own options as words that a plan keeps, so that a resumed study needs none of them again.
std::vector<std::string> cluster_words(const ClusterOptions& options);

// The plan of a run of this arm under this load, without seed, labels and the choice of one OSD. Of
// a timer, of where it is.
Result<RunPlan> plan_of_cell(const study::StudyPlan& plan, const study::Arm& arm,
                             const study::Work& work);

using study::StudyRunPlans;
Result<StudyRunPlans> study_run_plans(const study::StudyPlan& plan, bool yes);

// Asks the cluster which OSDs the words of an arm choose.
Result<std::vector<study::ArmUnits>> study_units(const study::StudyPlan& plan,
                                                 const StudyRunPlans& plans);

}  // namespace radosload::cli
