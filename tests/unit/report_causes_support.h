// Records with counters of OSDs, in the order of magnitude that a lab has measured.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "record/run_record.h"

namespace radosload::report::testing {

struct TimedEvent {
  std::string name;
  std::uint64_t count = 0;
  double ms = 0;
};

// What one OSD counted in ten seconds: `ops` operations that it led.
inline record::OsdWindow window_of(std::int32_t osd, bool reads, std::uint64_t ops,
                                   const std::vector<TimedEvent>& times) {
  record::OsdWindow window{
      .osd = osd, .kind = "plain", .to = std::chrono::seconds(10), .ours = ops};
  window.growth.counts = {{"op", ops}, {reads ? "op_r" : "op_w", ops}};
  constexpr double ms_in_s = 1e3;
  for (const TimedEvent& event : times) {
    window.growth.times[event.name] = {
        .count = event.count, .seconds = static_cast<double>(event.count) * event.ms / ms_in_s};
  }
  return window;
}

// A write whose OSD waits for its own commit of `commit_ms` and for others until `wait_ms`.
struct Commit {
  double wait_ms = 0;
  double commit_ms = 0;
  double data_ms = 0;   // of the commit: writing data to the main drive
  double flush_ms = 0;  // of the main drive, before RocksDB commits
  double kv_ms = 0;     // a commit of RocksDB
  double deferred_ms = 0;
};

inline record::OsdWindow writes_of(std::int32_t osd, const Commit& commit,
                                   std::uint64_t ops = 100) {
  constexpr double execution_ms = 0.3;
  constexpr double queue_ms = 0.1;
  const std::uint64_t applied = 3 * ops;
  record::OsdWindow window = window_of(
      osd, false, ops,
      {{"op_w_latency", ops, commit.wait_ms + execution_ms + queue_ms},
       {"op_w_process", ops, commit.wait_ms + execution_ms},
       {"op_w_prepare", ops, execution_ms},
       {"txc_commit", applied, commit.commit_ms},
       {"state_aio_wait", applied, commit.data_ms},
       {"state_kv_committing", applied, commit.kv_ms},
       {"state_deferred_aio_wait", commit.deferred_ms > 0 ? applied : 0, commit.deferred_ms},
       {"kv_flush", applied, commit.flush_ms},
       {"kv_commit", applied, commit.kv_ms},
       {"kv_sync", applied, commit.flush_ms + commit.kv_ms}});
  window.growth.counts["subop_w"] = 2 * ops;
  return window;
}

inline record::OsdWindow reads_of(std::int32_t osd, double latency_ms, double process_ms,
                                  double device_ms, std::uint64_t ops = 100) {
  return window_of(osd, true, ops,
                   {{"op_r_latency", ops, latency_ms},
                    {"op_r_process", ops, process_ms},
                    {"op_r_prepare", ops, process_ms},
                    {"read", ops, device_ms},
                    {"read_device", ops, device_ms}});
}

// A run whose client measured these means in ms.
inline record::RunRecord run_with(OpKind kind, double mean_ms,
                                  std::vector<record::OsdWindow> windows) {
  record::RunRecord run;
  run.header.run_id = "20261125-090000000-abcd";
  run.header.started = "2026-11-25T09:00:00Z";
  RunPlan& plan = run.header.plan;
  plan.pool = "hdd";
  plan.pattern.name = kind == OpKind::read ? "randread4k" : "randwrite4k";
  plan.pattern.read_percent = kind == OpKind::read ? 100 : 0;
  plan.pattern.queue_depth = 4;
  run.header.environment.pool = record::PoolFacts{.id = 1, .name = "hdd", .size = 3, .min_size = 2};
  run.measured = std::chrono::seconds(10);
  constexpr double ms = 1e6;
  const Time mean(static_cast<Time::rep>(mean_ms * ms));
  std::uint64_t ops = 0;
  for (const record::OsdWindow& window : windows) ops += window.ours;
  record::TimelineRow row;
  row.length = std::chrono::seconds(10);
  row.kinds[kind] = {.ops = ops,
                     .bytes = 0,
                     .timed = ops,
                     .errors = {},
                     .mean = mean,
                     .mean_service = mean,
                     .p50 = {},
                     .p99 = {}};
  run.timeline.push_back(row);
  record::Cell& cell = record::cell_for(run.kinds, no_osd, kind);
  for (std::uint64_t i = 0; i < ops; ++i) {
    cell.latency.add(static_cast<std::uint64_t>(mean.count()),
                     static_cast<std::uint64_t>(mean.count()));
  }
  run.counters = std::move(windows);
  run.client_load = record::ClientLoad{.cpus = 2};
  return run;
}

}  // namespace radosload::report::testing
