// The report of a run as one HTML file: no script, no request to another place, all text escaped.
// Its size does not depend on the length of the run. Pure: everything is taken from the record.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::html {

std::string page(const record::RunRecord& record);

}  // namespace radosload::html
