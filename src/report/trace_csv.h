// Prints the rows of a trace as CSV. Columns and their order are stable; new ones are added at the
// end. Unknown values are empty.
#pragma once

#include <string>
#include <string_view>

#include "trace/trace_row.h"

namespace radosload::report {

// With its newline.
std::string_view trace_csv_head();
// Adds the line of a row.
void add_trace_csv(std::string& text, const trace::TraceRow& row);

}  // namespace radosload::report
