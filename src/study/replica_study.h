// A study of the replicas of a pool around one run of writes: what is checked before the load, and
// what is made of its rows afterwards. The run itself is the caller's.
#pragma once

#include <memory>
#include <string>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "placement/osd_inventory.h"
#include "record/run_record.h"
#include "run/run.h"
#include "stats/slow_members.h"
#include "study/replicas.h"
#include "trace/trace_writer.h"

namespace radosload {
class AdminCommands;
}

namespace radosload::study {

struct ReplicaStudy {
  record::RunRecord record;
  std::string saved_as;  // empty: it was not
  run::PgSets sets;
  study::Replicas replicas;
  stats::MembershipRules rules;
  placement::OsdInventory osds;  // what is known of them; may be empty
  bool seen_afterwards = true;   // whether PGs had moved by the end could be asked
};

// Refuses a pool in which no run can distinguish the OSDs. Images may have their data in another
// pool, so for them it checks only that the mgr reports PGs.
Status check_replica_pool(AdminCommands& admin, const RunPlan& plan);

// Where the rows of the run are written: to this file, or without a name to a temporary one.
Result<std::shared_ptr<trace::TraceWriter>> rows_of_study(const std::string& file);

// Evaluates a run that has ended.
Result<ReplicaStudy> replica_study_of(AdminCommands& admin, run::RunResult run,
                                      const trace::TraceWriter& trace,
                                      const stats::MembershipRules& rules);

}  // namespace radosload::study
