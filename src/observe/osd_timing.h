// The answers that the timers of `radosload time` need: whether an OSD is up and since which map,
// the stamps of its PGs, what a compaction and a benchmark did, how much recovery is left. Parsers
// are pure; times of day are durations since 1970, by the clock of the daemon that noted them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"
#include "radosload/units.h"

namespace radosload::observe {

// "2026-11-24T17:04:20.690123+0000"; nothing for other texts, and for times before 1970.
std::optional<Time> parse_stamp(std::string_view text);

struct OsdLife {
  bool up = false;
  std::uint64_t up_from = 0;  // the epoch of the map in which it came up last
  bool noout = false;         // the flag of this OSD alone
};
// `osd info N`
Result<OsdLife> parse_osd_life(const std::string& json);
Result<OsdLife> fetch_osd_life(AdminCommands& commands, std::int32_t osd);

// The cluster's ID, from the mons: `fsid`. Empty when they do not tell.
std::string fetch_fsid(AdminCommands& commands);

struct PgTiming {
  std::string pgid = {};
  std::string state = {};
  std::size_t acting = 0;            // so many OSDs serve it
  std::uint64_t reported_epoch = 0;  // the newest map that its primary knew when it reported
  std::optional<Time> scrubbed = {};
  std::optional<Time> deep_scrubbed = {};
  std::optional<Time> became_active = {};
  std::optional<Time> changed = {};         // when its state became what it is
  std::optional<Time> scrub_duration = {};  // of the last scrub; releases before 17 do not tell

  bool is(std::string_view word) const { return state.find(word) != std::string::npos; }
};
// `pg ls-by-primary osd.N`, `pg ls-by-osd osd.N`
Result<std::vector<PgTiming>> parse_pg_timings(const std::string& json);
Result<std::vector<PgTiming>> fetch_pgs_led_by(AdminCommands& commands, std::int32_t osd);
Result<std::vector<PgTiming>> fetch_pgs_on(AdminCommands& commands, std::int32_t osd);

// What RocksDB and its log occupy, on all devices: `perf dump bluefs`.
Result<Bytes> parse_db_bytes(const std::string& json);
Result<Bytes> fetch_db_bytes(AdminCommands& commands, std::int32_t osd);

// How long `compact` took by the OSD's own clock. An OSD of 18.2.7 answers at once, without it, and
// compacts afterwards (bluestore_async_db_compaction).
Result<Time> parse_compaction(const std::string& json);

// The compactions that were ordered of an OSD since it began, those of RocksDB's own aside: `perf
// dump rocksdb`. 16.2.15 does not count them.
struct OrderedCompactions {
  std::uint64_t completed = 0;
  bool at_work = false;  // one is in progress, or waits
  Time last{0};          // how long the last one took
};
Result<OrderedCompactions> parse_compactions(const std::string& json);
Result<OrderedCompactions> fetch_compactions(AdminCommands& commands, std::int32_t osd);

struct OsdBench {
  Bytes written = {};
  Bytes block = {};
  Time took{0};
  double bytes_per_second = 0;
  double iops = 0;
};
Result<OsdBench> parse_osd_bench(const std::string& json);

struct RecoveryLeft {
  std::uint64_t misplaced = 0;  // copies of objects
  std::uint64_t degraded = 0;
  double bytes_per_second = 0;  // as `status` shows them
  double objects_per_second = 0;
  std::uint64_t objects = 0;  // in the cluster
  Bytes data = {};

  std::uint64_t copies() const { return misplaced + degraded; }
};
// `status`
Result<RecoveryLeft> parse_recovery(const std::string& json);
Result<RecoveryLeft> fetch_recovery(AdminCommands& commands);

}  // namespace radosload::observe
