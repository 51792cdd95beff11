// A run on a drive or a file: prefill of a file, the measured pass, and the end of what it made. In
// a series the steps share one file.
#pragma once

#include <string>

#include "prepare/dataset_cache.h"
#include "run/run.h"

namespace radosload::run {

Result<RunResult> execute_on_drive(const RunPlan& given, const std::string& run_id,
                                   const OutputOptions& output, base::Interrupts& interrupts,
                                   record::ProgressListener& listener,
                                   prepare::DatasetCache* cache);

}  // namespace radosload::run
