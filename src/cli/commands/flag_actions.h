// Removes the flags of OSDs that a killed `radosload time` left, for `radosload cleanup --flags`.
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::cli {

struct FlagRemoving {
  bool force = false;  // also those whose process may still run
  bool dry_run = false;
  bool json = false;
  bool ask = false;  // shows the flags, and asks on the terminal before it removes any
};

// Prints the result for each flag.
Result<Exit> remove_noout_flags(const ClusterOptions& cluster, const FlagRemoving& removing);

}  // namespace radosload::cli
