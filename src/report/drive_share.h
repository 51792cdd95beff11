// What share of the sum of its drives a pool delivers, by operation. A pool writes more than once
// what a client writes once, so each operation of the client has a cost in operations of drives;
// the share is the part of the drives' time that the pool's rate takes by this arithmetic. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "radosload/op.h"
#include "radosload/pattern.h"
#include "radosload/result.h"

#include "record/run_record.h"

namespace radosload::report {

// What one operation of the client costs the drives, by how the pool keeps its data. Writes to
// journals and WALs are not in it.
struct DriveCost {
  double reads = 0;  // operations of drives
  double writes = 0;
  double bytes_read = 0;  // for each byte of the client
  double bytes_written = 0;
  bool at_least = false;  // a bound: it may cost more
  std::string why = {};   // "each write is kept 3 times"
  bool operator==(const DriveCost&) const = default;
};
// `pool`: null where there is none, as on a simulated cluster; then each operation costs one. The
// stripe unit of an erasure-coded pool is taken to be Ceph's default, 4 KiB.
DriveCost cost_on_drives(OpKind kind, const record::PoolFacts* pool, const Pattern& pattern);

// What drives can do together, from a run on each of them.
struct DriveSum {
  OpKind kind = OpKind::read;
  std::size_t drives = 0;  // that were measured with this kind alone
  double iops = 0;         // of all; with --drives N of N drives like them
  double mib_per_s = 0;
  bool operator==(const DriveSum&) const = default;
};

struct DriveShareRow {
  OpKind kind = OpKind::read;
  std::string unit;  // "IOPS", "MiB/s"
  double pool = 0;
  std::optional<double> drives;      // their sum in this kind
  std::optional<double> attainable;  // what the pool could deliver if the drives did nothing else
  std::optional<double> share;       // pool / attainable
  DriveCost cost;
  bool at_least = false;  // the share may be larger
};

struct DriveShare {
  std::string run_id;      // of the pool's run
  std::size_t drives = 0;  // that have a run
  std::size_t osds = 0;    // that served the pool's run; 0: not known
  std::size_t scaled = 0;  // to so many equal drives; 0: not scaled
  std::vector<DriveSum> sums = {};
  std::vector<DriveShareRow> rows = {};
  // Of reads and writes together, by IOPS and by MiB/s; nothing for one kind alone.
  std::optional<double> together_iops = {};
  std::optional<double> together_mib = {};
  std::vector<std::string> warnings = {};
};

// `equal`: how many drives there are, all like those that were measured; 0: as many as have a run.
// An Error when no run can serve as that of a drive, or the pool's run has neither reads nor
// writes.
Result<DriveShare> share_of_drives(const record::RunRecord& pool,
                                   const std::vector<record::RunRecord>& drives, std::size_t equal);

std::string drive_share_text(const DriveShare& share);

}  // namespace radosload::report
