#include "support/sim_run.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "engine/loop_threads.h"
#include "engine/sim_loop.h"
#include "plan/patterns.h"
#include "record/run_record.h"
#include "target/null_target.h"
#include "target/sim_target.h"

namespace radosload::test {

namespace {

// Takes an interval each second of virtual or real time, as a run does.
void watch(engine::Engine& engine, Loop& control, SimRun& run) {
  record::Interval second;
  engine.take_interval(second);
  run.intervals.push_back(second);
  run.total = record::merge_sequence(run.total, second);
  control.at(control.now() + std::chrono::seconds(1),
             [&engine, &control, &run] { watch(engine, control, run); });
}

SimRun drive(const engine::EnginePlan& plan, Target& target, Loop& control,
             const std::vector<Loop*>& lanes, const Interfere& interfere,
             const std::function<void()>& quiesce) {
  SimRun run;
  engine::Engine engine(plan, target, control, lanes);
  engine.on_phase = [&](Phase phase) { run.phases.push_back(phase); };
  engine.on_end = [&](const engine::EngineEnd& end) {
    run.end = end;
    control.stop();
  };
  if (interfere) interfere(engine, control);
  control.post([&] { watch(engine, control, run); });
  if (auto started = engine.start(); !started) throw std::runtime_error(started.error().message());
  control.run();
  run.findings = engine.take_findings();
  record::Interval rest;
  engine.take_interval(rest);
  run.intervals.push_back(rest);
  run.total = record::merge_sequence(run.total, rest);
  quiesce();  // no task of the engine may run while it is destroyed
  return run;
}

target::SimModel model_of(const std::string& sim) {
  const auto model = target::parse_sim(sim);
  if (!model) throw std::runtime_error(model.error().message());
  return *model;
}

}  // namespace

engine::EnginePlan plan_for(const std::string& pattern, Time time, std::uint32_t lanes) {
  const auto parsed = plan::parse_pattern(pattern);
  if (!parsed) throw std::runtime_error(parsed.error().message());
  const auto layout = workload::lay_out(*parsed, {}, lanes);
  if (!layout) throw std::runtime_error(layout.error().message());
  engine::EnginePlan plan;
  plan.pattern = *parsed;
  plan.layout = *layout;
  plan.extent.time = time;
  plan.depth = parsed->queue_depth;
  plan.seed = 1;
  return plan;
}

SimRun run_virtual(const engine::EnginePlan& plan, const std::string& sim, std::uint32_t lanes,
                   const Interfere& interfere) {
  engine::SimLoop loop;
  target::SimTarget target(model_of(sim), plan.seed, {&loop}, plan.payload);
  return drive(plan, target, loop, std::vector<Loop*>(lanes, &loop), interfere, [] {});
}

SimRun run_target(const engine::EnginePlan& plan, Target& target, engine::SimLoop& loop) {
  return drive(plan, target, loop, {&loop}, {}, [] {});
}

SimRun run_threads(const engine::EnginePlan& plan, const std::string& sim, std::uint32_t lanes,
                   const Interfere& interfere) {
  const auto epoch = engine::RealLoop::Clock::now();
  engine::RealLoop control(epoch);
  engine::LoopThreads lane_threads(lanes, epoch);
  engine::LoopThreads target_threads(lanes, epoch);
  target::SimTarget target(model_of(sim), plan.seed, target_threads.loops(), plan.payload);
  return drive(plan, target, control, lane_threads.loops(), interfere, [&] {
    lane_threads.stop_and_join();
    target_threads.stop_and_join();
  });
}

SimRun run_null(const engine::EnginePlan& plan, std::uint32_t lanes, const std::string& sim) {
  const auto epoch = engine::RealLoop::Clock::now();
  engine::RealLoop control(epoch);
  engine::LoopThreads lane_threads(lanes, epoch);
  target::NullTarget target =
      sim.empty() ? target::NullTarget() : target::NullTarget(model_of(sim));
  return drive(plan, target, control, lane_threads.loops(), {},
               [&] { lane_threads.stop_and_join(); });
}

void expect_conservation(const SimRun& run) {
  record::Flow flow = run.total.measured;
  flow += run.total.unmeasured;
  EXPECT_EQ(flow.submitted, flow.ended() + run.end.unfinished);
  const record::Cell all = record::total_of(run.total.kinds);
  EXPECT_EQ(all.finished.ops + all.drained.ops,
            run.total.measured.completed + run.total.carried.completed);
  std::uint64_t successes = 0;
  std::uint64_t failures = 0;
  std::uint64_t cancelled = 0;
  for (const record::Cell& cell : run.total.kinds) {
    EXPECT_EQ(cell.latency.service().count(), cell.latency.response().count());
    if (cell.kind == OpKind::sync) continue;  // its operations are counted already
    successes += cell.ops();
    failures += cell.failed();
    cancelled += cell.cancelled;
  }
  EXPECT_EQ(successes, run.total.measured.completed);
  EXPECT_EQ(failures, run.total.measured.failed);
  EXPECT_EQ(cancelled, run.total.measured.cancelled);
  record::Flow seconds_of;
  for (const record::Interval& second : run.intervals) seconds_of += second.measured;
  EXPECT_EQ(seconds_of, run.total.measured);
}

}  // namespace radosload::test
