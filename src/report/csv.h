// Prints runs, series and lists as comma-separated values (RFC 4180, lines end with a newline), for
// spreadsheets and scripts. The first line names the columns. Columns keep their names; new columns
// are added at the end. An unknown value is an empty field. Times are in seconds (_s) and
// microseconds (_us), rates are per second. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/run_record.h"
#include "record/series.h"
#include "report/list.h"

namespace radosload::report {

// A row for each second of the measured phase, with the operations that finished in it. The columns
// for each kind of operation in the run ("read_iops") follow those for all operations.
std::string run_csv(const record::RunRecord& record);
// A row for each step, with the settings that differ between steps as columns of their own.
std::string series_csv(const record::Series& series);
// A row for each saved run or series.
std::string list_csv(const std::vector<ListRow>& rows);

// A field, quoted if necessary.
std::string csv_field(std::string_view text);

}  // namespace radosload::report
