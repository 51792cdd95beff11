// A run in the text exposition format of Prometheus, for the textfile collector of node_exporter:
// the figures of the last run as gauges, and its latencies as summaries. Every sample has the
// labels `pool` and `pattern`; what is counted by kind of operation has `op` as well. Pure.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

std::string prometheus_text(const record::RunRecord& record);

}  // namespace radosload::report
