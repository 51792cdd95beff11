// The text report of a run: what ran where, its figures, pictures of throughput and latency, errors
// and warnings. Text is at most 100 columns wide, and pictures are as wide as the style says. Pure:
// uses only the record.
#pragma once

#include <string>

#include "record/run_record.h"
#include "report/style.h"

namespace radosload::report {

// saved_as: the path of the record; empty when it was not saved.
std::string text(const record::RunRecord& record, const std::string& saved_as,
                 const Style& style = {});

}  // namespace radosload::report
