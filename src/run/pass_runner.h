// The passes of a run on a cluster, with all that watches the cluster meanwhile: from the first
// question to the grade in the record. How time passes and where operations go is the caller's, so
// that tests run the same in virtual time.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "engine/engine.h"
#include "prepare/object_naming.h"
#include "record/progress.h"
#include "run/company.h"
#include "run/measure.h"
#include "run/power_watch.h"
#include "run/recording.h"
#include "run/run.h"
#include "watch/client_witness.h"
#include "watch/run_watch.h"
#include "watch/stuck_op_locator.h"

namespace radosload::run {

struct PassRunner {
  const RunPlan& plan;
  const prepare::ObjectNaming& names;
  const watch::StuckOpLocator& locate_stuck;
  watch::RunWatch& watch;
  PowerWatch& power;
  const base::Interrupts& interrupts;
  record::ProgressListener& listener;
  Company* company = nullptr;
  watch::ClientWitness* witness = nullptr;  // null in virtual time, in which nothing pauses
  // Runs a pass with so many lanes to its end.
  std::function<Result<PassEnd>(Pass pass, std::uint32_t lanes)> conduct;
  // Those of the run's pools that are there no more.
  std::function<std::set<std::string>()> gone_pools;

  // Writes what the load reads; an Error when some of it could not be written.
  Status write_objects(const engine::EnginePlan& load) const;
  // The measured pass.
  Result<RunResult> measure(engine::EnginePlan load, Recording& recording) const;

 private:
  Result<PassEnd> run(Pass pass) const;
  // Hooks everything that watches into the measured pass.
  void follow(Pass& pass) const;
  // What the witness has seen of the client.
  void add_pauses(Recording& recording, Time measured, record::ClientLoad& client,
                  std::vector<record::SlowOp>& slowest) const;
};

}  // namespace radosload::run
