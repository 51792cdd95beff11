// Where the time of an operation went, by the latencies of the client and the counters of the OSDs.
// The parts follow each other, and none is counted twice. Pure, and internal to the room.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/osd_window.h"
#include "record/run_record.h"
#include "report/layout.h"

namespace radosload::report {

// If the run has at least this share of its OSDs' operations, the OSDs' means are taken as the
// run's.
inline constexpr double share_enough = 0.9;

// Mean times of one operation, in ns. Empty: unknown, or there is no such part.
struct TimeParts {
  std::string_view kind;  // "write", "read"
  double total = 0;       // as the client saw it
  double client = 0;      // from when it was due until it was sent
  double network = 0;     // the time that neither the client nor the OSDs counted
  double queue = 0;       // of the primary OSD
  double execution = 0;
  std::optional<double> replicas = {};  // the wait for replicas after the primary's own commit
  std::optional<double> commit = {};    // the primary's own wait in BlueStore
  std::optional<double> device = {};
  std::optional<double> unknown = {};  // of an erasure-coded pool: the other shards
};

// The run's share of the operations of its primary OSDs; empty when it is unknown.
std::optional<double> share_of_run(const std::vector<record::OsdWindow>& windows);

// A row for writes and one for reads, if there were any.
std::vector<TimeParts> time_parts(const std::vector<record::OsdWindow>& windows,
                                  const record::RunRecord& run);

// A table with a row for each kind of operation, and the slowest replica. If other clients did too
// much of the work, a line that states this replaces the table; empty when nothing is known.
Sheet time_parts_sheet(const std::vector<record::OsdWindow>& windows, const record::RunRecord& run);

// "98 %"; 99.9 % is not rounded up to 100 %.
std::string share_of_ops_text(std::optional<double> share);
// The mean of this timer, in ns; empty when the event did not happen.
std::optional<double> mean_ns(const record::OsdWindow& window, std::string_view name);
// What the client measured in the same time; all values are 0 without operations.
struct ClientMeans {
  std::uint64_t ops = 0;
  double response = 0;  // ns
  double service = 0;
};
// Of the operations on the OSD of each window, in the seconds within that window, so that it can be
// compared with what the OSD counted.
std::map<std::int32_t, ClientMeans> client_means(const record::RunRecord& run,
                                                 const std::vector<record::OsdWindow>& windows);
// Empty when this Ceph release has no such counter.
std::optional<double> count_of(const record::OsdWindow& window, std::string_view name);
std::optional<double> level_of(const record::OsdWindow& window, std::string_view name);

}  // namespace radosload::report
