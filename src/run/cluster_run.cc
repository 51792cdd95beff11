#include "run/cluster_run.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "cluster/bounded_call.h"
#include "prepare/cluster_session.h"
#include "prepare/dataset_cache.h"
#include "prepare/engine_plan.h"
#include "prepare/files.h"
#include "prepare/inactive_pgs.h"
#include "prepare/prepared.h"
#include "run/company.h"
#include "run/live_files.h"
#include "run/measure.h"
#include "run/pass_runner.h"
#include "run/power_watch.h"
#include "run/real_stage.h"
#include "run/recording.h"
#include "target/pool_traits.h"
#include "watch/run_watch.h"
#include "watch/stuck_op_locator.h"

namespace radosload::run {

namespace {

// Empties what the OSDs hold in RAM, so that the first reads come from disks.
Status drop_caches(const RunPlan& plan, prepare::ClusterSession& session) {
  if (plan.pattern.cache != CacheMode::drop) return {};
  for (const std::int32_t osd : session.status.osdmap.up) {
    RADOSLOAD_TRY(session.admin->osd(osd, R"({"prefix": "cache drop"})"));
  }
  return {};
}

std::set<std::string> gone_pools(const RunPlan& plan, const prepare::ClusterSession& session) {
  std::set<std::string> gone;
  for (const std::string& name : {plan.pool, session.space.pool.name}) {
    const placement::Pool* const pool = session.status.osdmap.pool(name);
    if (pool == nullptr) continue;
    if (target::pool_is_gone(*session.lanes.front().connection, pool->id)) gone.insert(name);
  }
  return gone;
}

// On threads, with everything that watches the session's cluster.
PassRunner runner_on(const prepare::Prepared& prepared, const prepare::ClusterSession& session,
                     const watch::StuckOpLocator& locate_stuck, watch::RunWatch& watch,
                     watch::ClientWitness& witness, PowerWatch& power, base::Interrupts& interrupts,
                     record::ProgressListener& listener, Company* company) {
  const RunPlan& plan = prepared.plan;
  return {.plan = plan,
          .names = prepared.names,
          .locate_stuck = locate_stuck,
          .watch = watch,
          .power = power,
          .interrupts = interrupts,
          .listener = listener,
          .company = company,
          .witness = &witness,
          .conduct =
              [&](Pass pass, std::uint32_t lanes) {
                return run_real_pass(std::move(pass), *prepared.target, lanes, interrupts,
                                     listener);
              },
          .gone_pools = [&] { return gone_pools(plan, session); }};
}

Result<RunResult> measure(const prepare::Prepared& prepared, prepare::ClusterSession& session,
                          const PassRunner& runner, Recording& recording) {
  RADOSLOAD_TRY(drop_caches(prepared.plan, session));
  for (const auto& distortion : observe::distortions(session.status)) {
    recording.warn(distortion.what);
  }
  return runner.measure(prepared.load, recording);
}

Result<RunResult> execute_prepared(prepare::Prepared& prepared, prepare::ClusterSession& session,
                                   const std::string& run_id, const OutputOptions& output,
                                   base::Interrupts& interrupts, record::ProgressListener& listener,
                                   PowerWatch& power, Company* company) {
  const RunPlan& plan = prepared.plan;
  auto header = prepare::header_for(plan, output.program, run_id, prepared.environment);
  const watch::StuckOpLocator locate_stuck(session, prepared.names);
  watch::RunWatch watch(session, prepared.names, prepared.locations);
  watch::ClientWitness witness;
  const PassRunner runner = runner_on(prepared, session, locate_stuck, watch, witness, power,
                                      interrupts, listener, company);
  if (auto idle = power.measure_idle(interrupts, listener); !idle) {
    prepared.target.reset();
    return fail(idle.error());
  }
  LiveFiles files(run_id, output, listener);
  const bool prefilled = !prepared.dataset.ready();
  if (prefilled) {
    auto written = runner.write_objects(prepared.load);
    if (written && company != nullptr) written = company->finish(Company::Turn::prefill);
    if (written && !prepared.dataset.reused()) written = prepared.dataset.mark_ready();
    if (!written) {
      prepared.target.reset();
      return fail(written.error());
    }
  }
  if (prepared.before_load) {
    if (auto done = prepared.before_load(); !done) {
      prepared.target.reset();
      return fail(done.error());
    }
  }
  Recording recording(plan, std::move(header), output, listener, files, prefilled);
  for (const std::string& taint : prepared.taints) recording.taint(taint);
  auto measured = measure(prepared, session, runner, recording);
  if (measured) measured->sets.moved = watch.moved();
  prepared.target.reset();
  return measured;
}

// What the first member has noted for all.
Result<footprint::Manifest> noted_for_all(const prepare::ClusterSession& session,
                                          const std::string& run) {
  RADOSLOAD_ASSIGN(const auto entry, session.site->look_up(run));
  if (entry.manifest) return *entry.manifest;
  return fail({.attempt = "find the objects of the session's run",
               .subject = run,
               .reason = entry.problem.empty() ? "its manifest is gone" : entry.problem});
}

// One of several processes: the first notes the objects, all write their share of them, and the
// session removes them.
Result<RunResult> execute_in_company(const RunPlan& plan, const std::string& run_id,
                                     const OutputOptions& output, base::Interrupts& interrupts,
                                     record::ProgressListener& listener,
                                     prepare::ClusterSession& session, PowerWatch& power,
                                     Company& company) {
  prepare::Shared shared{.part = company.part()};
  const bool first = shared.part.index == 0;
  const bool own_objects = plan.target != TargetKind::rbd || plan.images.create.count > 0;
  if (!first) {
    RADOSLOAD_TRY(company.finish(Company::Turn::prepare));
    if (own_objects) {
      RADOSLOAD_ASSIGN(shared.objects, noted_for_all(session, company.joint_run()));
    }
  }
  RADOSLOAD_ASSIGN(auto draft,
                   prepare::inspect(plan, session, company.joint_run(), nullptr, shared));
  RADOSLOAD_ASSIGN(auto prepared,
                   prepare::commit(std::move(draft), session, nullptr, interrupts, listener));
  if (first) RADOSLOAD_TRY(company.finish(Company::Turn::prepare));
  auto result =
      execute_prepared(prepared, session, run_id, output, interrupts, listener, power, &company);
  if (!result) return result;
  result->sets.pool = session.space.pool.name;
  result->sets.pool_id = session.space.pool.id;
  result->sets.pgs = std::move(session.space.pgs);
  return result;
}

}  // namespace

Result<RunResult> execute_on_cluster(const RunPlan& given, const std::string& run_id,
                                     const OutputOptions& output, base::Interrupts& interrupts,
                                     record::ProgressListener& listener,
                                     prepare::DatasetCache* cache, Company* company) {
  PowerWatch power(given.power);
  RADOSLOAD_TRY(power.open());
  RADOSLOAD_ASSIGN(const RunPlan plan, prepare::with_data_pool(given));
  RADOSLOAD_ASSIGN(auto session, prepare::open_session(plan));
  RADOSLOAD_TRY(prepare::check_health(plan, session));
  RADOSLOAD_TRY(prepare::await_pgs(plan, session, interrupts, listener));
  const bool files = plan.target == TargetKind::cephfs;
  const bool in_use = plan.target == TargetKind::rbd || files;
  if (files) cache = nullptr;  // each step of a series makes its own
  if (company != nullptr) {
    return execute_in_company(plan, run_id, output, interrupts, listener, session, power, *company);
  }
  RADOSLOAD_ASSIGN(auto draft, prepare::inspect(plan, session, run_id, cache));
  RADOSLOAD_ASSIGN(auto prepared,
                   prepare::commit(std::move(draft), session, cache, interrupts, listener));
  auto result =
      execute_prepared(prepared, session, run_id, output, interrupts, listener, power, nullptr);
  // Unanswered operations may still write, so their objects stay where cleanup finds them. And an
  // image or a file with unanswered operations is open and cannot be removed.
  if (abandoned_passes() > 0 || (in_use && cluster::abandoned_work() > 0)) {
    prepared.dataset.leave(listener);
  } else if (cache != nullptr) {
    cache->put(std::move(prepared.dataset), plan, prepared.load.layout, prepared.lay_out,
               interrupts, listener);
  } else {
    prepared.dataset.clean_up(plan.keep, interrupts, listener);
  }
  if (result) {
    result->sets.pool = session.space.pool.name;
    result->sets.pool_id = session.space.pool.id;
    result->sets.pgs = std::move(session.space.pgs);
  }
  return result;
}

}  // namespace radosload::run
