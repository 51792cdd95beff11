// Removing the flags of OSDs that a killed `radosload time` left, for `radosload cleanup --flags`.
#pragma once

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::cli {

struct FlagRemoving {
  bool force = false;  // also those whose process may still run
  bool dry_run = false;
  bool json = false;
  bool ask = false;  // shows them, and asks on a terminal before it removes any
};

// Prints the fate of each.
Result<Exit> remove_noout_flags(const ClusterOptions& cluster, const FlagRemoving& removing);

}  // namespace radosload::cli
