// Removes scratch pools: complete ones, and what a killed `create` left. A pool in use is left
// alone unless `force` is set; a pool without radosload's mark is never touched.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "radosload/admin_commands.h"
#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/connection.h"
#include "footprint/cleanup.h"
#include "footprint/scratch.h"
#include "footprint/site.h"

namespace radosload::footprint {

struct ScratchRemoval {
  std::vector<std::string> names = {};  // these; empty: all
  bool force = false;                   // also what is in use
  bool dry_run = false;
  ScratchInUse in_use = {};
};

struct ScratchRemoved {
  std::string name = {};
  ScratchFound::State state = ScratchFound::State::ready;
  Fate fate = Fate::removed;
  std::string detail = {};  // why it was left, what failed
};

struct ScratchRemovals {
  std::vector<ScratchRemoved> pools = {};
  bool interrupted = false;

  bool any(Fate fate) const;
};

// A name that no scratch pool has is an error before anything is removed.
Result<ScratchRemovals> remove_scratch(AdminCommands& commands, const ScratchRemoval& removal,
                                       const ScratchHooks& hooks);

// Whether a pool is in use: by live runs, or by objects that radosload did not create. Its
// namespace of runs, and all of its namespaces.
Result<std::string> scratch_in_use(Site& runs, Site& everywhere);
// On a real cluster. Takes no longer than the limit.
Result<std::string> scratch_in_use(const std::shared_ptr<cluster::Connection>& connection,
                                   const std::string& pool, Time limit);

}  // namespace radosload::footprint
