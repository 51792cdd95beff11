// Saved runs and series, and comparisons of them, as JSON for scripts. Pure.
#pragma once

#include <string>
#include <vector>

#include "radosload/result.h"

#include "record/run_record.h"
#include "record/series.h"
#include "report/list.h"

namespace radosload::views {

// {schema: "radosload.list/1", entries: [{type: "run"|"series"|"study"|"timing", id, started,
// ...}]}, newest first.
std::string list_json(const std::vector<report::ListRow>& rows);

// {schema: "radosload.compare/1", runs: [ID], rows: [{op, metric, values, differences, ratios}],
//  warnings: [TEXT]}: of each run to the first one. At least one run.
std::string compare_json(const std::vector<record::RunRecord>& runs);

// {schema: "radosload.series-compare/1", series: [...], comparisons: [{with, steps, left_out}]}:
// the first series against each of the others. Fails as the comparison in text does.
Result<std::string> compare_series_json(const std::vector<record::Series>& series);

}  // namespace radosload::views
