// Reports as HTML files: one of a run, of several runs, of a series. No script, no request to
// another place, all text escaped. Their size does not depend on the length of the runs, and they
// hold the records that they were made of (see data.h). Pure: everything is taken from the records.
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"
#include "record/series.h"

namespace radosload::html {

std::string page(const record::RunRecord& record);
std::string page(const record::Series& series);
// At least one run.
std::string page(const std::vector<record::RunRecord>& records);

}  // namespace radosload::html
