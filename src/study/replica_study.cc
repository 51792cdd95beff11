#include "study/replica_study.h"

#include <filesystem>
#include <utility>

#include "radosload/admin_commands.h"

#include "observe/fetch_osd_map.h"
#include "observe/osds.h"
#include "observe/space.h"
#include "trace/trace_file.h"

namespace radosload::study {

namespace {

Status evaluate(AdminCommands& admin, const trace::TraceWriter& trace, ReplicaStudy& study) {
  const auto later = observe::fetch_pgs(admin, study.sets.pool_id);
  study.seen_afterwards = later.has_value();
  if (later) note_moved(*later, study.sets);
  RADOSLOAD_ASSIGN(const auto rows, trace::TraceFile::open(trace.path()));
  RADOSLOAD_ASSIGN(study.replicas,
                   replicas_of(rows, study.sets, study.record.measured, study.rules));
  return {};
}

}  // namespace

Status check_replica_pool(AdminCommands& admin, const RunPlan& plan) {
  RADOSLOAD_ASSIGN(const auto map, observe::fetch_osd_map(admin));
  RADOSLOAD_ASSIGN(const auto space, placement::space_of(map, plan.pool));
  auto pgs = observe::fetch_pgs(admin, space.pool.id);
  if (!pgs || pgs->empty()) {
    return fail(
        {.attempt = "name the slow replica",
         .subject = "of pool " + plan.pool,
         .reason = "the mgr did not report its placement groups",
         .hint = "check that a mgr is active, and that the user has mgr 'allow r': 'radosload auth "
                 "replicas' prints the command",
         .exit = Exit::no_cluster});
  }
  if (plan.target == TargetKind::rbd) return {};
  return check_separable(
      {.pool = plan.pool, .pool_id = space.pool.id, .pgs = *std::move(pgs), .moved = {}});
}

Result<std::shared_ptr<trace::TraceWriter>> rows_of_study(const std::string& file) {
  if (!file.empty()) return trace::TraceWriter::create(file);
  std::error_code none;
  const auto folder = std::filesystem::temp_directory_path(none);
  return trace::TraceWriter::create_unnamed(none ? "/tmp" : folder);
}

Result<ReplicaStudy> replica_study_of(AdminCommands& admin, run::RunResult run,
                                      const trace::TraceWriter& trace,
                                      const stats::MembershipRules& rules) {
  ReplicaStudy study{.record = std::move(run.record),
                     .saved_as = std::move(run.saved_as),
                     .sets = std::move(run.sets),
                     .replicas = {},
                     .rules = rules,
                     .osds = {}};
  // The kinds of the OSDs are shown if they can be fetched; the study does not need them.
  auto inventory = observe::fetch_osds(admin);
  if (inventory) {
    study.osds = *std::move(inventory);
  } else {
    study.osds.unseen.push_back(inventory.error().message());
  }
  if (auto done = evaluate(admin, trace, study); !done) {
    Error error = std::move(done).error();
    if (run.exit == Exit::interrupted) error.exit = Exit::interrupted;
    if (!study.saved_as.empty()) error.reason += "; the run is saved as " + study.saved_as;
    return fail(std::move(error));
  }
  return study;
}

}  // namespace radosload::study
