#include "run/pass_runner.h"

#include <chrono>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "prepare/engine_plan.h"
#include "run/client_pauses.h"
#include "run/file_findings.h"
#include "run/prefill.h"
#include "run/slow_ops.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

using BeginAt = Result<std::optional<std::chrono::steady_clock::time_point>>;

}  // namespace

Result<PassEnd> PassRunner::run(Pass pass) const {
  pass.locate_stuck = std::cref(locate_stuck);
  if (names.name_of) pass.object_name = names.name_of;
  pass.health = [this](Time now, Time oldest) { return watch.poll(now, oldest); };
  pass.ends = end_conditions(
      plan.push_through,
      company == nullptr ? std::function<std::string()>() : [this] { return company->ended(); });
  const std::uint32_t lanes = prepare::lanes_of(plan, pass.plan.layout);
  return conduct(std::move(pass), lanes);
}

Status PassRunner::write_objects(const engine::EnginePlan& load) const {
  if (load.layout.prefill == workload::Prefill::nothing) return {};
  Pass pass{.plan = prepare::prefill_plan_for(plan, load),
            .name = "prefill",
            .total_bytes = load.layout.prefill_bytes().count};
  RADOSLOAD_ASSIGN(const auto ended, run(std::move(pass)));
  if (plan.target == TargetKind::cephfs) {
    return files_written(ended, plan.files.system, load.stall, interrupts);
  }
  return objects_written(ended, plan.pool, load.stall, interrupts);
}

void PassRunner::follow(Pass& pass) const {
  // Before the journal reduces an interval to its worst OSDs.
  pass.on_interval = [this, record = pass.on_interval](const record::Interval& interval) {
    watch.on_interval(interval);
    record(interval);
  };
  pass.on_phase = [this](Phase phase, Time now) {
    watch.enter(phase, now);
    if (witness != nullptr) witness->enter(phase);
  };
  power.follow(pass);
  if (company == nullptr) return;
  pass.begin_at = [this]() -> BeginAt {
    RADOSLOAD_TRY(company->finish(Company::Turn::ready));
    return company->start();
  };
}

Result<RunResult> PassRunner::measure(engine::EnginePlan load, Recording& recording) const {
  watch.begin(load.extent.time, plan.slowest > 0);
  Pass pass{.plan = std::move(load), .name = "measure"};
  recording.follow(pass);
  follow(pass);
  RADOSLOAD_ASSIGN(auto end, run(std::move(pass)));
  recording.add_energy(power.finish(recording.so_far(), end.end.measured));
  if (end.end.ended_by == record::EndedBy::errors) {
    for (const std::string& pool : gone_pools()) {
      recording.warn(fmt::format("pool {} was deleted during the run", pool));
    }
  }
  if (plan.target == TargetKind::cephfs) {
    for (std::string& finding : file_findings(end)) recording.warn(std::move(finding));
  }
  auto slowest = slow_ops(end, names.name_of, names.pool);
  auto findings = watch.finish(end.end, recording.so_far().osds, slowest);
  for (std::string& warning : findings.warnings) recording.warn(std::move(warning));
  for (const std::string& change : findings.changes) listener.note("the cluster: " + change);
  recording.add_routing(std::move(findings.routing), findings.grade);
  if (witness != nullptr) add_pauses(recording, end.end.measured, findings.client, slowest);
  recording.add_counters(std::move(findings.counters));
  recording.add_slowest(std::move(slowest), std::move(findings.slow_search));
  recording.add_client_load(std::move(findings.client));
  return recording.finish(end);
}

void PassRunner::add_pauses(Recording& recording, Time measured, record::ClientLoad& client,
                            std::vector<record::SlowOp>& slowest) const {
  const auto seen = witness->finish();
  if (!seen) return;
  const bool open = plan.arrival.law != Arrival::Law::closed;
  const Waiting waiting = waiting_of(recording.so_far(), measured, open);
  add_witness(*seen, waiting, client);
  blame_pauses(*client.pauses, slowest);
  for (const record::Grade& grade : grades_of(client, waiting)) recording.grade(grade);
}

}  // namespace radosload::run
