// A run on a drive or a file: prefill of a file, the measured pass, and the end of what it made.
#pragma once

#include <string>

#include "run/run.h"

namespace radosload::run {

Result<RunResult> execute_on_drive(const RunPlan& given, const std::string& run_id,
                                   const OutputOptions& output, base::Interrupts& interrupts,
                                   record::ProgressListener& listener);

}  // namespace radosload::run
