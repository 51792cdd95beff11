// The runs of a check: every load several times, the loads in turns, so that what changes in the
// cluster meanwhile meets all of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "record/progress.h"
#include "run/run.h"

namespace radosload::cli {

struct RepeatedLoad {
  std::string name;
  RunPlan plan;
  std::size_t repeats = 0;
};

struct RepeatedRun {
  std::size_t load = 0;    // in the list of loads
  std::size_t number = 0;  // of its runs, from 1
  // "randread4k, 2 of 4"
  std::string text(const std::vector<RepeatedLoad>& loads) const;
};
// The first run of every load, then the second of every load, and so on.
std::vector<RepeatedRun> in_turns(const std::vector<RepeatedLoad>& loads);

struct RepeatedRuns {
  std::vector<std::vector<record::RunRecord>> runs;  // by load: those that count
  record::Environment environment;                   // of the last run
  std::size_t planned = 0;
  std::size_t measured = 0;  // also those that do not count
  bool flawed = false;       // one was void or cut short, or had failed operations
  bool all_clean = true;
  std::vector<std::string> warnings;  // which runs are left out or disturbed, and why
  std::optional<Error> stopped;       // why it did not come to its end
  bool interrupted = false;
  bool complete() const { return !stopped && !interrupted; }
};

// Saves each run when it ends. `require_clean`: a run that is not clean is measured again, twice at
// most.
RepeatedRuns repeat_loads(const std::vector<RepeatedLoad>& loads, bool require_clean,
                          const run::OutputOptions& output, base::Interrupts& interrupts,
                          record::ProgressListener& listener);

}  // namespace radosload::cli
