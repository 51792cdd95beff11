// The summary of a trace as JSON for scripts: the figures have the form that they have in the
// record of a run. Pure.
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"
#include "report/trace_summary.h"
#include "trace/trace_scan.h"

namespace radosload::views {

// {schema: "radosload.trace-summary/1", file, rows, unsound_rows, complete, measured_s,
//  last_answer_s, counts: {measured, carried, unfinished, unissued}, totals, osds, late_us,
//  slowest: [{row, t_s, op, response_us, service_us, where, object, bytes, osd, pg, client, rc,
//  error}]}
// `object` is null unless the size of an object is known; what is not known is null.
std::string trace_json(const report::TraceFacts& facts, const record::RunRecord& record,
                       const std::vector<trace::SlowOp>& slowest);

}  // namespace radosload::views
