// Finds saved runs, series and timings by the names that users type.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "html/data.h"
#include "record/run_record.h"
#include "record/series.h"

namespace radosload::cli {

// The document of the series of that name; empty if the name may be that of a run. "last" is a run.
std::optional<std::filesystem::path> series_named(const std::string& name);

// The document of the timing of that name; empty if the name may be that of another document.
std::optional<std::filesystem::path> timing_named(const std::string& name);

// The data of the HTML page of that name; empty if it is not such a file. Fails for a page that
// cannot be read.
Result<std::optional<html::Kept>> page_named(const std::string& name);

struct SavedRun {
  record::RunRecord record;
  std::string path;
};

// The run by that name: an ID, the beginning of one, "last", or a path, also that of an HTML page
// of one run.
Result<SavedRun> load_run(const std::string& name);
// The series by that name, which may be that of a document or of an HTML page; empty if the name
// may be that of a run.
Result<std::optional<record::Series>> load_series_named(const std::string& name);
// Adds that run, the measured runs of that series, or the runs of that HTML page.
Status add_saved(const std::string& name, std::vector<record::RunRecord>& runs);

}  // namespace radosload::cli
