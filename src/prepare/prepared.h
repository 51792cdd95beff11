// A run's load made ready on a cluster: the plan as the place has it, what the operations go to,
// and what to do away with afterwards. For objects and for images alike.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "radosload/run_plan.h"
#include "radosload/target.h"

#include "base/interrupts.h"
#include "engine/engine.h"
#include "prepare/cluster_session.h"
#include "prepare/dataset.h"
#include "prepare/dataset_cache.h"
#include "prepare/object_naming.h"
#include "record/progress.h"

namespace radosload::prepare {

struct Prepared {
  RunPlan plan;
  engine::EnginePlan load;
  std::string environment;
  std::vector<std::string> taints;  // what would make the figures say less than they seem to
  Dataset dataset;
  DatasetCache::LayOut lay_out;  // what other steps would work on here
  ObjectNaming names;
  std::shared_ptr<ObjectPlacement> homes;  // where the objects lie; none: nobody could tell
  std::unique_ptr<Target> target;          // gone before the data set is cleaned up
};

// Nothing is left in the cluster when they fail, or it has been said.
// With a shelf, what an earlier run has filled is taken from there.
Result<Prepared> prepare_objects(const RunPlan& plan, ClusterSession& place,
                                 const std::string& run_id, DatasetCache* shelf,
                                 base::Interrupts& interrupts, record::ProgressListener& audience);
Result<Prepared> prepare_images(const RunPlan& plan, ClusterSession& place,
                                const std::string& run_id, DatasetCache* shelf,
                                base::Interrupts& interrupts, record::ProgressListener& audience);

}  // namespace radosload::prepare
