// What a killed process has left of a study: records of runs that were cut off, and objects in the
// cluster, which their manifests name.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "record/progress.h"
#include "record/store.h"

namespace radosload::study {

// IDs of runs with this label `cell` that began at that moment or later.
std::vector<std::string> runs_of_killed_cell(const record::Store& store, const std::string& cell,
                                             const std::string& began);

// The IDs of the studies that these runs are cells of, as far as the store has them.
std::set<std::string> studies_of_runs(const record::Store& store,
                                      const std::vector<std::string>& runs);

// The process that OpenTry names: this one.
std::string process_name();

// Removes what the process made in the plan's pool. What others made, live runs and kept objects
// stay. `process`: as process_name() gave it; while it is alive nothing is removed.
Status remove_leftovers(const RunPlan& given, const std::string& process,
                        const base::Interrupts& interrupts, record::ProgressListener& listener);

}  // namespace radosload::study
