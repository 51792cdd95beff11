// Removes scratch pools, for `radosload scratch destroy` and `radosload cleanup --scratch`.
#pragma once

#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::cli {

struct ScratchRemoving {
  std::vector<std::string> names = {};  // empty: all
  bool force = false;
  bool dry_run = false;
  bool json = false;
  bool quiet = false;  // no progress
  bool held_is_refusal = false;
  bool ask = false;  // show them and ask before any is removed (confirm.h)
};

// Removes the pools and prints the result for each. A pool in use is kept; with held_is_refusal,
// the exit status is then that of a refusal.
Result<Exit> remove_scratch_pools(const ClusterOptions& cluster, const ScratchRemoving& removing);

}  // namespace radosload::cli
