// Records made short for a page: rows of the timeline are merged, never left out, and every maximum
// stays. Pure.
#pragma once

#include <cstddef>

#include "record/run_record.h"

namespace radosload::html {

// How many figures the timeline of the record holds: of all, of each kind, of each OSD.
std::size_t timeline_figures(const record::RunRecord& record);

// At most `rows` rows of equal length in the timeline. Counts add up, so the record still agrees
// with itself; the p99 of a row is the highest p99 of a second in it. A warning reports it. A
// record that has no more rows stays as it is. The rows that are merged are read where they are:
// those of 30 days fill a machine's memory once, but not twice.
record::RunRecord with_rows(const record::RunRecord& record, std::size_t rows);

// Histograms with two digits instead of three: percentiles change by less than 1 %, counts, means,
// minima and maxima not at all. A warning reports it.
record::RunRecord with_coarse_latencies(record::RunRecord record);

}  // namespace radosload::html
