// A run as one would paste it into a mail: what ran where, what came of it, what to make of it.
// At most 100 columns wide. Pure: everything it says stands in the record.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

// saved_as: where the record lies; empty when it was not saved.
std::string text(const record::RunRecord& record, const std::string& saved_as);

}  // namespace radosload::report
