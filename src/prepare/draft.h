// What a run is about to do on a cluster: found by inspect(), which changes nothing there, and
// carried out by commit() (prepared.h). A dry run shows the draft that the run would commit, so the
// two cannot differ.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "radosload/run_plan.h"

#include "engine/engine.h"
#include "footprint/manifest.h"
#include "placement/space_plan.h"
#include "prepare/cluster_session.h"
#include "prepare/dataset_cache.h"
#include "prepare/files.h"
#include "prepare/images.h"
#include "prepare/object_naming.h"
#include "prepare/pinning.h"

namespace radosload::prepare {

struct Draft {
  std::string run_id;
  RunPlan plan;                  // as the images have it
  Bytes made_object_size;        // of images that are made, as the option has it
  engine::EnginePlan load;       // without a payload: that belongs to the data set
  std::optional<Images> images;  // of a run on images
  std::optional<Files> files;    // of a run on a file system
  std::string dataset;  // the run whose name the objects carry: this one, or an earlier one
  bool cached = false;  // an earlier step of the series has filled them
  std::optional<footprint::Manifest> reused;  // what --reuse names
  std::optional<footprint::Manifest> shared;  // what another process has noted for this one too
  std::optional<placement::SpacePlan> space;  // what objects of its own will occupy
  ObjectNaming names;
  Picked picked;                               // of a pinned run
  std::shared_ptr<ObjectPlacement> locations;  // where the objects lie; none: not known
  std::optional<Error> refusal;                // why the run will not start: the first reason found

  bool pinned() const { return !load.layout.osds.empty(); }
  // The object names of an image are unknown until it is created. Until then a pinned draft uses
  // other names: about the same number of objects lies on each OSD.
  bool makes_images() const { return images && images->lanes().empty(); }
};

// The place of this process in a load that several share.
struct Shared {
  workload::Part part = {};
  // What the first of them has noted and all write to; none: this is the first, or the images were
  // there before.
  std::optional<footprint::Manifest> objects = {};
};

// An Error means that there is nothing to show: the pool or the images cannot carry out the plan. A
// refusal by a safety check stands in the draft instead.
Result<Draft> inspect(const RunPlan& plan, ClusterSession& session, const std::string& run_id,
                      const DatasetCache* cache = nullptr, const Shared& shared = {});

// Names, picks and places the objects of the draft's images once they are open. Part of commit().
Status place_objects(Draft& draft, const ClusterSession& session);
// Those of its files, once these are made.
void place_files(Draft& draft, const ClusterSession& session);

}  // namespace radosload::prepare
