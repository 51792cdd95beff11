// The files of `--fio-logs FOLDER`. Looked at before the run, since a folder that cannot be written
// is better known before an hour of load than after it.
#pragma once

#include <filesystem>

#include "radosload/result.h"

#include "record/run_record.h"

namespace radosload::cli {

// Makes the folder when it is not there. An Error when it cannot be written, or when it has logs of
// such a run already: nothing is ever overwritten.
Status prepare_fio_logs(const std::filesystem::path& folder, const RunPlan& plan);

// An Error names the file that could not be written; nothing half-written remains of that one.
Status write_fio_logs(const std::filesystem::path& folder, const record::RunRecord& record);

}  // namespace radosload::cli
