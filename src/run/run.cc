#include "run/run.h"

#include <chrono>
#include <utility>

#include "engine/sim_loop.h"
#include "prepare/cluster_session.h"
#include "prepare/engine_plan.h"
#include "run/cluster_run.h"
#include "run/drive_run.h"
#include "run/measure.h"
#include "run/power_watch.h"
#include "run/real_stage.h"
#include "run/recording.h"
#include "run/slow_ops.h"
#include "target/null_target.h"
#include "target/sim_target.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

Status check_real_time(const RunPlan& plan, const target::SimModel& model) {
  if (!plan.power.any() || plan.target != TargetKind::sim || model.threads > 0) return {};
  return fail({.attempt = "measure power",
               .reason = "--target sim runs in virtual time, in which no energy is used",
               .hint = "add --threads 1 to run in real time, or leave out --power and --power-cmd",
               .exit = Exit::usage});
}

// Targets without a cluster: nothing to prepare, nothing to clean up.
Result<RunResult> execute_without_cluster(const RunPlan& plan, const std::string& run_id,
                                          const OutputOptions& output, base::Interrupts& interrupts,
                                          record::ProgressListener& listener) {
  RADOSLOAD_ASSIGN(const auto model, prepare::sim_model_for(plan));
  RADOSLOAD_TRY(check_real_time(plan, model));
  RADOSLOAD_ASSIGN(auto engine_plan,
                   prepare::engine_plan_for(plan, workload::PoolTraits{.flush = true}));
  const auto header =
      prepare::header_for(plan, output.program, run_id, prepare::environment_without_cluster(plan));

  if (model.keeps_content) {
    const std::uint64_t stamp = workload::stamp_id(run_id);
    engine_plan.payload.emplace(stamp, workload::Writer{.id = stamp});
  }
  const auto payload = engine_plan.payload;
  PowerWatch power(plan.power);
  RADOSLOAD_TRY(power.open());
  RADOSLOAD_TRY(power.measure_idle(interrupts, listener));
  Recording recording(plan, header, output, listener);
  Pass pass{.plan = std::move(engine_plan), .name = "measure"};
  recording.follow(pass);
  power.follow(pass);
  auto end = [&]() -> Result<PassEnd> {
    if (plan.target == TargetKind::null) {
      auto nothing = plan.sim.empty() ? target::NullTarget() : target::NullTarget(model);
      return run_real_pass(std::move(pass), nothing, plan.clients, interrupts, listener);
    }
    if (model.threads == 0) {
      engine::SimLoop loop;
      target::SimTarget simulated(model, plan.seed, {&loop}, payload);
      const Stage stage{.control = &loop, .lanes = std::vector<Loop*>(plan.clients, &loop)};
      return run_pass(std::move(pass), simulated, stage, interrupts, listener);
    }
    engine::LoopThreads answers(model.threads, engine::RealLoop::Clock::now());
    target::SimTarget simulated(model, plan.seed, answers.loops(), payload);
    auto ended = run_real_pass(std::move(pass), simulated, plan.clients, interrupts, listener);
    answers.stop_and_join();
    return ended;
  }();
  if (!end) return fail(end.error());
  recording.add_slowest(slow_ops(*end));
  recording.add_energy(power.finish(recording.so_far(), end->end.measured));
  return recording.finish(*end);
}

}  // namespace

Result<RunResult> execute(const RunPlan& given, const OutputOptions& output,
                          base::Interrupts& interrupts, record::ProgressListener& listener,
                          prepare::DatasetCache* cache, Company* company) {
  if (given.session.any() && company == nullptr) {
    return fail({.attempt = "start a run of session",
                 .subject = given.session.name,
                 .reason = "it is one of several runs",
                 .hint = "sweeps, suites and studies work without --session only",
                 .exit = Exit::usage});
  }
  RunPlan plan = given;
  if (plan.seed == 0) plan.seed = prepare::drawn_seed();
  const auto now = record::distinct_moment(std::chrono::system_clock::now());
  const std::string run_id = record::make_run_id(now, prepare::drawn_seed());
  if (plan.target == TargetKind::block) {
    return execute_on_drive(plan, run_id, output, interrupts, listener, cache);
  }
  if (needs_cluster(plan.target)) {
    return execute_on_cluster(plan, run_id, output, interrupts, listener, cache, company);
  }
  return execute_without_cluster(plan, run_id, output, interrupts, listener);
}

}  // namespace radosload::run
