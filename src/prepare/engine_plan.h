// What a plan becomes before anything runs: the engine's plan, and the header of the record.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/run_plan.h"

#include "engine/engine.h"
#include "record/run_record.h"
#include "target/sim_model.h"
#include "workload/layout.h"

namespace radosload::prepare {

// For a plan without a seed of its own, and for names; never 0.
std::uint64_t drawn_seed();

// What a plan works on, parted among its lanes: in equal parts for pinned OSDs, or for images when
// several clients have some of their own. The run, its preview and the cache all take it from here.
Result<workload::Layout> layout_for(const RunPlan& plan, const workload::PoolTraits& traits,
                                    const std::vector<std::int32_t>& osds = {},
                                    std::uint32_t processes = 1);
// The load itself, on a pool that can do what `traits` says. Pinned, each of the OSDs gets a load
// of its own: depth, rate and size are for each. `part`: of a load that several processes share.
Result<engine::EnginePlan> engine_plan_for(const RunPlan& plan, const workload::PoolTraits& traits,
                                           const std::vector<std::int32_t>& osds = {},
                                           workload::Part part = {});
// How many lanes such a load has.
std::uint32_t lanes_of(const RunPlan& plan, const workload::Layout& layout);

// What --sim says, for the targets without a cluster.
Result<target::SimModel> sim_model_for(const RunPlan& plan);

// Writing what the load will read, with the same objects.
engine::EnginePlan prefill_plan_for(const RunPlan& plan, const engine::EnginePlan& load);

record::RunHeader header_for(const RunPlan& plan, const std::string& program,
                             const std::string& run_id, record::Environment environment);

}  // namespace radosload::prepare
