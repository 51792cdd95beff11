#include "run/drive_run.h"

#include <utility>

#include "prepare/cluster_session.h"
#include "prepare/drive.h"
#include "prepare/engine_plan.h"
#include "run/live_files.h"
#include "run/power_watch.h"
#include "run/prefill.h"
#include "run/real_stage.h"
#include "run/recording.h"
#include "run/slow_ops.h"
#include "target/drive_target.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

struct DriveRun {
  const prepare::DriveDraft& draft;
  target::DriveTarget& target;
  base::Interrupts& interrupts;
  record::ProgressListener& listener;

  Result<PassEnd> run(Pass pass) const {
    return run_real_pass(std::move(pass), target, draft.plan.clients, interrupts, listener);
  }
};

// What is still in RAM after it would be written during the load.
Status write_file(const DriveRun& run, const engine::EnginePlan& load) {
  Pass pass{.plan = prepare::prefill_plan_for(run.draft.plan, load),
            .name = "prefill",
            .total_bytes = load.layout.prefill_bytes().count};
  RADOSLOAD_ASSIGN(const auto ended, run.run(std::move(pass)));
  RADOSLOAD_TRY(file_written(ended, run.draft.drive.path, load.stall, run.interrupts));
  return run.target.flush();
}

Result<RunResult> measure(const DriveRun& run, engine::EnginePlan load, Recording& recording,
                          PowerWatch& power) {
  for (const std::string& note : run.draft.notes) recording.warn(note);
  for (const std::string& taint : run.draft.taints) recording.taint(taint);
  if (run.draft.taints.empty()) {
    recording.grade({.value = record::GradeValue::unwatched,
                     .reasons = {"other load on the drive is not watched"}});
  }
  Pass pass{.plan = std::move(load), .name = "measure"};
  recording.follow(pass);
  power.follow(pass);
  RADOSLOAD_ASSIGN(const auto end, run.run(std::move(pass)));
  recording.add_slowest(slow_ops(end));
  recording.add_energy(power.finish(recording.so_far(), end.end.measured));
  return recording.finish(end);
}

// In a file of an earlier step there are that step's stamps.
std::uint64_t stamp_of(const prepare::DriveDraft& draft, const std::string& run_id) {
  return draft.filled != nullptr ? draft.filled->stamp : workload::stamp_id(run_id);
}

workload::Payload payload_for(const prepare::DriveDraft& draft, const std::string& run_id) {
  return workload::Payload(stamp_of(draft, run_id), {.id = workload::stamp_id(run_id),
                                                     .others_before = draft.filled != nullptr});
}

}  // namespace

Result<RunResult> execute_on_drive(const RunPlan& given, const std::string& run_id,
                                   const OutputOptions& output, base::Interrupts& interrupts,
                                   record::ProgressListener& listener,
                                   prepare::DatasetCache* cache) {
  RADOSLOAD_ASSIGN(auto draft,
                   prepare::inspect_drive(given, cache != nullptr ? cache->file() : nullptr));
  PowerWatch power(draft.plan.power);
  if (!draft.refusal) {
    RADOSLOAD_TRY(power.open());
    RADOSLOAD_TRY(power.measure_idle(interrupts, listener));
  }
  RADOSLOAD_ASSIGN(auto file, prepare::open_drive(draft, run_id));
  const int number = file.get();
  engine::EnginePlan load = draft.load;
  load.payload = payload_for(draft, run_id);
  target::DriveTarget target(std::move(file), {.object_size = load.layout.object_size,
                                               .sync_writes = load.pattern.sync_each_write,
                                               .ring = draft.no_ring.empty(),
                                               .paced = load.arrival.law != Arrival::Law::closed});
  const DriveRun run{draft, target, interrupts, listener};
  record::Environment environment = prepare::environment_without_cluster(draft.plan);
  environment.drive = prepare::drive_facts(draft);
  auto header = prepare::header_for(draft.plan, output.program, run_id, std::move(environment));
  LiveFiles files(run_id, output, listener);
  if (draft.prefills()) {
    if (auto written = write_file(run, load); !written) {
      prepare::remove_made_file(draft, number);
      return fail(written.error());
    }
  }
  Recording recording(draft.plan, std::move(header), output, listener, files, draft.prefills());
  if (cache == nullptr) return measure(run, std::move(load), recording, power);
  // Before the load, because its target closes the file.
  auto filled = prepare::filled_file(draft, number, stamp_of(draft, run_id));
  auto result = measure(run, std::move(load), recording, power);
  if (abandoned_passes() == 0) cache->put(std::move(filled));
  return result;
}

}  // namespace radosload::run
