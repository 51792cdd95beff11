// What a run would do, worked out without writing a byte: --dry-run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/op.h"
#include "radosload/run_plan.h"

#include "placement/space_plan.h"
#include "record/run_record.h"
#include "workload/layout.h"

namespace radosload::prepare {

struct PlannedOperation {
  std::uint32_t lane = 0;
  Op op;
};

// What of a pinned run's objects one OSD would serve.
struct PlannedOsd {
  std::int32_t osd = no_osd;
  std::uint64_t objects = 0;
  std::uint64_t pgs = 0;  // in so many of its PGs
};

struct Preview {
  record::RunHeader header;  // with the plan, its seed drawn, and the environment
  workload::Layout layout;
  std::string reused;                         // the run whose objects serve; empty: its own
  std::optional<placement::SpacePlan> space;  // of its own objects, on a cluster
  std::vector<PlannedOperation> operations;   // the first ones, in turns from every lane
  std::vector<PlannedOsd> osds;               // pinned: in ascending order
  std::vector<std::string> warnings;          // what would distort the figures
  std::optional<Error> refusal;               // why the run would not start
};

// An Error means that there is nothing to show: no such pool, no cluster, or a plan that the pool
// cannot carry out.
Result<Preview> preview(const RunPlan& given, const std::string& program);

}  // namespace radosload::prepare
