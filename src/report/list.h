// The table of saved runs and series.
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"
#include "record/series.h"

namespace radosload::report {

// A line for each, newest first; says so when there is none. The steps of a series have none of
// their own, unless `steps` says so.
std::string list_text(const std::vector<record::RunRecord>& runs,
                      const std::vector<record::Series>& series = {}, bool steps = false);

}  // namespace radosload::report
