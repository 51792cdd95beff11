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
  bool held_is_refusal = false;
  bool ask = false;  // show them and ask before any is removed (confirm.h)
};

// Removes and says what became of each. What is in use and so left alone is a refusal where it was
// named to be removed, and none where somebody cleans up.
Result<Exit> remove_scratch_pools(const ClusterOptions& cluster, const ScratchRemoving& removing);

}  // namespace radosload::cli
