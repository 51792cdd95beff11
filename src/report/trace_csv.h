// Prints the rows of a trace as CSV. Columns and their order are stable; new ones are added at the
// end. Unknown values are empty.
#pragma once

#include <string>
#include <string_view>

#include "trace/trace_row.h"

namespace radosload::report {

// With its newline. `several`: rows name their trace, in a last column.
std::string_view trace_csv_head(bool several = false);
// Adds the line of a row. `file`: the name of its trace, if rows name it.
void add_trace_csv(std::string& text, const trace::TraceRow& row, const std::string& file = "");

}  // namespace radosload::report
