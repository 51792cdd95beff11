// How much space a working set will take, on each OSD and in the pool, computed before anything is
// written; and whether the limits allow it. Pure arithmetic on a SpaceView.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "placement/space_view.h"

namespace radosload::placement {

// What a run will make: prefill and everything it may write later.
struct SpaceDemand {
  std::uint64_t objects = 0;
  Bytes object_size = {};  // of each, when it has been written whole
  bool omap = false;       // the bytes are omap values, not data
  // The PG of each, when they were picked; otherwise they fall onto PGs as they come.
  std::vector<std::uint32_t> pgs = {};
  std::uint64_t loads = 1;  // of which each has its part of the objects
};

struct OsdSpace {
  std::int32_t id = -1;
  std::string device_class = {};
  Bytes total = {};
  Bytes used = {};
  Bytes expected = {};     // what the working set adds by the OSD's share of the PGs
  Bytes at_most = {};      // the same with three standard deviations of how objects fall onto PGs
  double ratio_after = 0;  // (used + at_most) / total
};

struct SpacePlan {
  std::string pool = {};
  SpaceDemand demand = {};
  Bytes data = {};  // before replication
  Bytes raw = {};   // on all OSDs together
  double nearfull_ratio = 0;
  std::vector<OsdSpace> osds = {};  // those that hold PGs of the pool, by id; empty: not seen
  Pool state = {};                  // of the pool, before the run
  std::uint64_t fits = 0;           // the most objects of this size that every limit seen allows
  std::vector<std::string> unseen = {};
};

SpacePlan plan_space(const SpaceView& view, const SpaceDemand& demand);

// Refuses a plan that would make an OSD near full, or exceed the pool's quota or space: with the
// figures, and what to do instead.
Status check_space(const SpacePlan& plan);

}  // namespace radosload::placement
