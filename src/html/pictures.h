// The pictures of a run as SVG that needs no script: percentile curves, throughput and latency over
// time, and the heat map of the slowest operations. Each is empty where there is nothing to draw.
#pragma once

#include <string>

#include "html/buckets.h"
#include "record/run_record.h"

namespace radosload::html {

// Response time over the percentile, to as many nines as there are operations for.
std::string percentile_curves(const record::RunRecord& record);
// Throughput above, latency below, events as numbered lines.
std::string time_picture(const record::RunRecord& record, const Buckets& buckets);
// The slowest operation of each OSD in each bucket.
std::string heat_map(const Buckets& buckets);

}  // namespace radosload::html
