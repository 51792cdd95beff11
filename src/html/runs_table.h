// Several runs side by side: their figures in a table, and the curves of their percentiles (HTML).
// Pure, and internal to the room.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "html/facts.h"

namespace radosload::html {

// `knees`: indices into `runs`, which are marked. `ids`: with the IDs of the runs, where their
// names do not say which run is meant.
std::string runs_table(const std::vector<ShownRun>& runs, const std::vector<std::size_t>& knees,
                       bool ids);
// "Grades: 3 clean, 1 contaminated"
std::string grades_of(const std::vector<ShownRun>& runs);
// A curve for each run.
std::string curves_of_runs(const std::vector<ShownRun>& runs);
// A curve for each OSD over all runs, if OSDs were pinned.
std::string curves_by_osd(const std::vector<ShownRun>& runs);

}  // namespace radosload::html
