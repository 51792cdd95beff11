// A run on a cluster: the steps before and after the measured pass, in order, and their reversal
// when a step fails.
#pragma once

#include <string>

#include "run/run.h"

namespace radosload::run {

Result<RunResult> execute_on_cluster(const RunPlan& given, const std::string& run_id,
                                     const OutputOptions& output, base::Interrupts& interrupts,
                                     record::ProgressListener& listener,
                                     prepare::DatasetCache* cache, Company* company);

}  // namespace radosload::run
