// A whole engine run against the simulated target, in virtual time or on real threads.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/sim_loop.h"
#include "record/interval.h"

namespace radosload::test {

struct SimRun {
  engine::EngineEnd end;
  record::Interval total;                   // of the whole run
  std::vector<record::Interval> intervals;  // one a second
  std::vector<Phase> phases;
  std::vector<engine::Finding> findings;
};

// A plan for the pattern text, with usual values for everything else.
engine::EnginePlan plan_for(const std::string& pattern, Time time, std::uint32_t lanes = 1);

// Called with the engine before it starts, to schedule changes.
using Interfere = std::function<void(engine::Engine&, Loop&)>;
SimRun run_virtual(const engine::EnginePlan& plan, const std::string& sim, std::uint32_t lanes = 1,
                   const Interfere& interfere = {});
// On one thread for each lane, and as many for the target.
SimRun run_threads(const engine::EnginePlan& plan, const std::string& sim, std::uint32_t lanes,
                   const Interfere& interfere = {});
// In virtual time with the test's own target, which answers on the loop.
SimRun run_target(const engine::EnginePlan& plan, Target& target, engine::SimLoop& loop);
// With the null target, each lane on a thread.
SimRun run_null(const engine::EnginePlan& plan, std::uint32_t lanes, const std::string& sim = {});

// Checks that every submitted operation is counted exactly once, for any end of the run.
void expect_conservation(const SimRun& run);

}  // namespace radosload::test
