// `radosload baseline check`: measures again what a baseline holds, and judges it.
#pragma once

#include <cstdint>
#include <string>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "record/baseline.h"

namespace radosload::cli {

struct BaselineCheck {
  ClusterOptions cluster;      // those that are given replace the ones of the runs
  std::uint32_t repeats = 0;   // of each load; 0: as many as the baseline has
  bool require_clean = false;  // measures a disturbed run again, and fails if that does not help
  bool force = false;          // also on another cluster
  bool dry_run = false;
  bool yes = false;  // repeats what the runs needed a permission for
  bool no_progress = false;
  std::string format = "text";
};

Result<Exit> check_baseline(const record::Baseline& baseline, const BaselineCheck& asked);

}  // namespace radosload::cli
