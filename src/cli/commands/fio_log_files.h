// The files of `--fio-logs FOLDER`. The folder is checked before the run, so that a long run does
// not end without its logs.
#pragma once

#include <filesystem>

#include "radosload/result.h"

#include "record/run_record.h"

namespace radosload::cli {

// Creates the folder if it does not exist. Fails if it cannot be written to, or already has logs
// with these names, because files are never overwritten.
Status prepare_fio_logs(const std::filesystem::path& folder, const RunPlan& plan);

// The error names the file that could not be written; that file is removed.
Status write_fio_logs(const std::filesystem::path& folder, const record::RunRecord& record);

}  // namespace radosload::cli
