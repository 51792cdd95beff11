// A run's load made ready on a cluster: what a draft becomes when it is committed. What operations
// go to, and what is to be removed afterwards; for objects and for images alike.
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
#include "prepare/draft.h"
#include "prepare/object_naming.h"
#include "record/progress.h"

namespace radosload::prepare {

struct Prepared {
  RunPlan plan;
  engine::EnginePlan load;
  record::Environment environment;
  std::vector<std::string> taints;  // what would make the figures say less than they seem to
  Dataset dataset;
  DatasetCache::LayoutOf lay_out;  // what other steps would work on here
  ObjectNaming names;
  std::shared_ptr<ObjectPlacement> locations;  // where the objects lie; none: nobody could tell
  std::unique_ptr<Target> target;              // gone before the data set is cleaned up
};

// Makes what the draft says, having noted in the cluster that it will. When it fails nothing is
// left there, or it has been said. What an earlier step has filled is taken from the cache. Writing
// the objects is the run's business.
Result<Prepared> commit(Draft draft, ClusterSession& session, DatasetCache* cache,
                        base::Interrupts& interrupts, record::ProgressListener& listener);

}  // namespace radosload::prepare
