// A series as text: what ran where, a table with a row for each step, and what went wrong. A suite
// shows its own table first. The table of a sweep of load marks the knee (see knee.h). Pure:
// everything is taken from the document.
#pragma once

#include <string>

#include "record/series.h"

namespace radosload::report {

// saved_as: where the document lies; empty when it was not saved.
std::string series_text(const record::Series& series, const std::string& saved_as);

// The pool, image or target of its steps: "pool hdd".
std::string place_of(const record::Series& series);

// The twelve figures in kbench's three blocks. What was not measured is shown as -.
std::string kbench_text(const record::Series& series);

}  // namespace radosload::report
