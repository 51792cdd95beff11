// The files of `--fio-logs FOLDER`. The folder is checked before the run, so that an hour of load
// does not end without logs.
#pragma once

#include <filesystem>

#include "radosload/result.h"

#include "record/run_record.h"

namespace radosload::cli {

// Makes the folder if it does not exist. Fails if the folder cannot be written to, or already has
// logs of such a run: files are never overwritten.
Status prepare_fio_logs(const std::filesystem::path& folder, const RunPlan& plan);

// The error names the file that could not be written; that file is removed.
Status write_fio_logs(const std::filesystem::path& folder, const record::RunRecord& record);

}  // namespace radosload::cli
