// Prints a series: what ran where, a table with a row for each step, and errors and warnings. A
// suite prints its own table first. The table of a load sweep marks the knee (see knee.h). Pure:
// uses only the document.
#pragma once

#include <string>

#include "record/series.h"

namespace radosload::report {

// saved_as: the path of the document; empty when it was not saved.
std::string series_text(const record::Series& series, const std::string& saved_as);

// The pool, image or target of its steps: "pool hdd".
std::string place_of(const record::Series& series);

// The twelve figures in kbench's three blocks; "-" for what was not measured.
std::string kbench_text(const record::Series& series);

}  // namespace radosload::report
