// Makes, from the options of a study, the plan of a run for each arm and load, and the units of
// each arm. Everything is checked here, before the first cell.
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

// Ceph's options as words that are saved with the plan, so that a resumed study does not need them
// again.
std::vector<std::string> cluster_words(const ClusterOptions& options);

// The plan of a run of this arm under this load, without seed, labels and the choice of one OSD.
// For a timer, the plan has only the options for the cluster.
Result<RunPlan> plan_of_cell(const study::StudyPlan& plan, const study::Arm& arm,
                             const study::Work& work);

using study::StudyRunPlans;
Result<StudyRunPlans> study_run_plans(const study::StudyPlan& plan, bool yes);

// Asks the cluster which OSDs the options of an arm select.
Result<std::vector<study::ArmUnits>> study_units(const study::StudyPlan& plan,
                                                 const StudyRunPlans& plans);

}  // namespace radosload::cli
