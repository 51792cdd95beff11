// What the probe may cost the drives that it probes: 0.1 % of what a slow one can do. Pure.
#pragma once

#include <cstdint>

#include "radosload/result.h"
#include "radosload/units.h"

#include "probe/facts.h"

namespace radosload::probe {

// Random operations per second of the slowest hard disk that the limit is for.
inline constexpr double slow_drive_iops = 77;
inline constexpr double most_share = 0.001;
// A small write on BlueStore goes to the drive twice: to the WAL, and later to its place.
inline constexpr double operations_per_write = 2;

// What one operation of the probe costs the drives of all OSDs together.
struct PoolCost {
  double drives_per_read = 1;   // 1; k of an erasure-coded pool
  double drives_per_write = 3;  // replicas, or k+m
};

// In a round, of each OSD. Reads cost a replicated pool least, so most are reads.
struct Samples {
  std::uint32_t reads = 17;
  std::uint32_t writes = 1;
  std::uint32_t of(Kind kind) const { return kind == Kind::read ? reads : writes; }
};

// The share of a slow drive that a probe takes from each OSD on average. In a round each OSD leads
// its reads and writes, and takes part in writes that other OSDs lead.
double share_of_drive(const PoolCost& cost, const Samples& samples, Time interval);
// The shortest interval within the limit, in whole seconds.
Time shortest_interval(const PoolCost& cost, const Samples& samples);
// Refuses what exceeds the limit.
Status check_budget(const PoolCost& cost, const Samples& samples, Time interval);

}  // namespace radosload::probe
