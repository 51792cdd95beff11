// A series as text: what ran where, one table with a row for each step, and what to make of it; a
// suite shows its own table first. Pure: everything it says stands in the document.
#pragma once

#include <string>

#include "record/series.h"

namespace radosload::report {

// saved_as: where the document lies; empty when it was not saved.
std::string series_text(const record::Series& series, const std::string& saved_as);

// The twelve figures in kbench's three blocks. What was not measured is shown as -.
std::string kbench_text(const record::Series& series);

}  // namespace radosload::report
