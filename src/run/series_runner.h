// Runs the steps of a series one after the other. Each step is recorded like any run when it ends,
// and the document of the series is rewritten, so the results survive any interruption and missing
// steps can be run later. execute() deals with what a step's target needs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "record/progress.h"
#include "record/series.h"
#include "run/run.h"

namespace radosload::run {

// A new series from steps with a name, settings and a plan each. Every step gets its own seed: with
// the same seed a step would read exactly the blocks that the step before it brought into the OSDs'
// caches.
record::Series new_series(std::vector<record::SeriesStep> steps, const std::string& program);
// The same steps, with the seeds and records of the saved series.
Result<record::Series> resume(const record::Series& saved, std::vector<record::SeriesStep> steps);
// A saved series with its own plan, if its plans can be run.
Result<record::Series> resume(const record::Series& saved);

struct SeriesResult {
  record::Series series;
  std::string saved_as;          // the document; empty: nowhere
  Exit exit = Exit::measured;    // the worst of all steps
  std::optional<Error> stopped;  // why it did not come to its end
};

// Runs every step that is not done yet. A step that ended early does not end the series; one that
// could not start does. Steps are stored in output.store like runs; `document` is the path of the
// series, if it is saved, and output.existing says what happens to an existing file.
SeriesResult execute_series(record::Series series,
                            const std::optional<std::filesystem::path>& document,
                            const OutputOptions& output, base::Interrupts& interrupts,
                            record::ProgressListener& listener);

// The length of a plan's warm-up and measured phase; 0 without --time.
Time planned_length(const RunPlan& plan);

}  // namespace radosload::run
