// Where the time of an operation went, from the latencies of the client and what the OSDs counted.
// The parts follow each other: none is counted twice. Pure, and internal to the room.
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

// From this share of the run in the operations of its OSDs on, their means are the run's.
inline constexpr double share_enough = 0.9;

// Means of one operation, in ns. Nothing: unknown, or there is no such part.
struct TimeParts {
  std::string_view kind;  // "write", "read"
  double total = 0;       // as the client saw it
  double client = 0;      // from when it was due until it was sent
  double network = 0;     // all that neither side counted
  double queue = 0;       // of the OSD that leads
  double execution = 0;
  std::optional<double> replicas = {};  // waited for them beyond the own commit
  std::optional<double> commit = {};    // own: waited in BlueStore
  std::optional<double> device = {};
  std::optional<double> unknown = {};  // of an erasure-coded pool: the other shards
};

// The run's share in what its OSDs led; empty when it is unknown.
std::optional<double> share_of_run(const std::vector<record::OsdWindow>& windows);

// A row for writes and one for reads, as far as there were any.
std::vector<TimeParts> time_parts(const std::vector<record::OsdWindow>& windows,
                                  const record::RunRecord& run);

// A table with a row for each kind of operation, and the slowest replica. Only why it is not shown
// when other clients did too much of the work; empty when nothing is known.
Sheet time_parts_sheet(const std::vector<record::OsdWindow>& windows, const record::RunRecord& run);

// "98 %"; 99.9 % is not rounded up to 100 %.
std::string share_of_ops_text(std::optional<double> share);
// The mean of what was timed, in ns; empty when it did not happen.
std::optional<double> mean_ns(const record::OsdWindow& window, std::string_view name);
// What the client saw meanwhile; without operations all is 0.
struct ClientMeans {
  std::uint64_t ops = 0;
  double response = 0;  // ns
  double service = 0;
};
// On the OSD of each window, of the seconds that lie in it, so that it compares with what the OSD
// counted.
std::map<std::int32_t, ClientMeans> client_means(const record::RunRecord& run,
                                                 const std::vector<record::OsdWindow>& windows);
// Empty when this release has no such counter.
std::optional<double> count_of(const record::OsdWindow& window, std::string_view name);
std::optional<double> level_of(const record::OsdWindow& window, std::string_view name);

}  // namespace radosload::report
