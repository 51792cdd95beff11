// --dry-run of a series: its steps, how long they will take, and what they will write.
#pragma once

#include <string>

#include "radosload/result.h"

#include "record/series.h"

namespace radosload::cli {

// Prints it as text or JSON. Fails if a step would be refused.
Result<Exit> preview_series(const record::Series& series, const std::string& format);

}  // namespace radosload::cli
