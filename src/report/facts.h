// The phrases that describe a run: where it ran, its load, and how it ended. Shared by all reports
// for people. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "radosload/run_plan.h"

#include "record/environment.h"
#include "record/run_record.h"

namespace radosload::report {

// "pool hdd", "image vm1 in pool ssd, data in pool hdd", "target null". The names of images come
// from the environment, which may be empty before the run.
std::string where_text(const RunPlan& plan, const record::Environment& environment);
// "drive /dev/sdb (ST4000NM0035, 3.64 TiB, rotating), through io_uring"
std::string drive_text(const record::DriveFacts& drive);
// "randrw4k: mixed, 75 % read, random 4k, qd 64"
std::string pattern_text(const RunPlan& plan);
// "closed loop at qd 64", "open loop, 500 ops/s, poisson"
std::string load_text(const RunPlan& plan);
// "60.0 s after 5 s of warm-up, ended by SIGINT (interrupted)"
std::string measured_text(const record::RunRecord& record);
// Version numbers of the cluster's daemons, each once: "18.2.7", "16.2.15, 18.2.7"; may be empty.
std::string versions_text(const record::RunRecord& record);
// "12 ENOENT, 3 HOLE"; empty without any.
std::string errors_text(const std::vector<record::ErrorCount>& errors);
// "1 operation cancelled, 2 operations never answered"; empty when every operation was answered.
std::string lost_operations(const record::RunRecord& record, const record::Cell& total);
// The same, followed by how percentiles count them; also empty when every operation was answered.
std::string lost_text(const record::RunRecord& record, const record::Cell& total);
// "for 9 s of 10 s nothing finished, ...": of a closed loop, whose percentiles say nothing of the
// time in which it sends nothing; empty where they do show it.
std::string stalled_text(const record::RunRecord& record);
// " (of those sent; 1,998 were never sent)", behind how late operations were sent; empty when all
// were.
std::string only_sent_text(const record::RunRecord& record);
// Where IOPS are above the rate that the plan has, because the warm-up left operations behind;
// else empty.
std::string backlog_text(const record::RunRecord& record);
// "p99 3 ms (durable write): below etcd's limit of 10 ms", after a run of the pattern etcd-wal;
// empty after any other.
std::string etcd_text(const record::RunRecord& record);
// "contaminated: osd.3 restarted; 2 slow ops", "not graded (recovery and scrubs were not watched)"
std::string grade_text(const record::Grade& grade);
// "host=n1, rack=3"; empty without labels.
std::string labels_text(const Labels& labels);
// "read", "write+flush"
std::string kind_text(OpKind kind);
// The last line of every comparison of single runs.
std::string no_verdict();

}  // namespace radosload::report
