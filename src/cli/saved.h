// Finds saved runs, series and timings by the names that users type.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "radosload/result.h"

#include "record/run_record.h"

namespace radosload::cli {

// The document of the series of that name; nothing if the name may be a run's. "last" is a run.
std::optional<std::filesystem::path> series_named(const std::string& name);

// The document of the timing of that name; nothing if the name may be that of something else.
std::optional<std::filesystem::path> timing_named(const std::string& name);

struct SavedRun {
  record::RunRecord record;
  std::string path;
};

// The run by that name: an id, the beginning of one, "last", or a path.
Result<SavedRun> load_run(const std::string& name);

}  // namespace radosload::cli
