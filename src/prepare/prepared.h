// A run's load made ready on a cluster: what a draft becomes when it is committed. What operations
// go to, and what will be removed afterwards; for objects and for images alike.
#pragma once

#include <functional>
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
#include "prepare/draft.h"
#include "prepare/object_naming.h"
#include "record/progress.h"

namespace radosload::prepare {

struct Prepared {
  RunPlan plan;
  engine::EnginePlan load;
  record::Environment environment;
  std::vector<std::string> taints;  // reasons to trust the figures less
  Dataset dataset;
  DatasetCache::LayoutOf lay_out;  // what other steps would work on here
  ObjectNaming names;
  std::shared_ptr<ObjectPlacement> locations;  // where the objects lie; none: unknown
  std::unique_ptr<Target> target;              // gone before the data set is cleaned up
  // What comes between the prefill and the load; may be empty.
  std::function<Status()> before_load = {};
};

// Writes the manifest and creates the images of the draft. After a failure nothing is left in the
// cluster, or a message says what is. Objects that an earlier step has filled come from the cache.
// The run writes the objects.
Result<Prepared> commit(Draft draft, ClusterSession& session, DatasetCache* cache,
                        base::Interrupts& interrupts, record::ProgressListener& listener);

}  // namespace radosload::prepare
