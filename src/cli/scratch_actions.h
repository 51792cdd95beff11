// What `radosload scratch` and `radosload cleanup --scratch` have in common.
#pragma once

#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

namespace radosload::cli {

struct ScratchRemoving {
  std::vector<std::string> names = {};  // empty: all there are
  bool force = false;
  bool dry_run = false;
  bool json = false;
  bool quiet = false;  // no progress
};

// Removes and says what became of each.
Result<Exit> remove_scratch_pools(const ClusterOptions& cluster, const ScratchRemoving& removing);

}  // namespace radosload::cli
