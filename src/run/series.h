// The steps of a series, one run after the other: each is recorded like any run as soon as it ends,
// and the document of the series is written anew, so that what was measured outlives whatever ends
// it, and what is missing can be run later. Knows nothing of what a step's target needs: that is
// execute()'s business.
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

// A series to begin, from steps that have a name, settings and a plan each. Every step draws its
// operations from a seed of its own: with one for all, a step would read just the blocks that the
// step before it has brought into the OSDs' caches.
record::Series new_series(std::vector<record::SeriesStep> steps, const std::string& program);
// The same steps with the seeds that the saved series has drawn, and its records.
Result<record::Series> resume(const record::Series& saved, std::vector<record::SeriesStep> steps);
// A saved series by itself, when its plans can be run.
Result<record::Series> resume(const record::Series& saved);

struct SeriesResult {
  record::Series series;
  std::string saved_as;          // the document; empty: nowhere
  Exit exit = Exit::measured;    // the worst of all steps
  std::optional<Error> stopped;  // why it did not come to its end
};

// Runs every step that is not done yet. A step that ended early does not end the series; one that
// could not even begin does. Steps are kept in output.store like runs; `document` is where the
// series lies, if anywhere, and output.existing says what becomes of a file that is there.
SeriesResult execute_series(record::Series series,
                            const std::optional<std::filesystem::path>& document,
                            const OutputOptions& output, base::Interrupts& interrupts,
                            record::ProgressListener& listener);

// What the measured phases and warm-ups of a plan take; 0 when --time does not end them.
Time planned_length(const RunPlan& plan);

}  // namespace radosload::run
