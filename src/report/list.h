// The table of saved runs.
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"

namespace radosload::report {

// A line for each, in the order given; says so when there is none.
std::string list_text(const std::vector<record::RunRecord>& runs);

}  // namespace radosload::report
