// What the objects of a run are called, wherever they are: in a pool, or as the data of images; and
// which of them a pinned run uses. The same for a run and for its preview.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "radosload/run_plan.h"

#include "cluster/image.h"
#include "prepare/cluster_session.h"
#include "prepare/images.h"
#include "prepare/object_naming.h"
#include "prepare/pinning.h"
#include "workload/layout.h"

#include <rados/librados.hpp>

namespace radosload::prepare {

// They are in that pool and namespace, whose map says where each lies.
void put_in_pool(ObjectNaming& names, const librados::IoCtx& pool);
// The pool with that id, with the namespace of the run's images; nothing when it is gone.
std::optional<librados::IoCtx> pool_of_data(const RunPlan& plan, const ClusterSession& session,
                                            std::int64_t id);

// `dataset`: the run whose objects they are.
ObjectNaming names_of_objects(const RunPlan& plan, const ClusterSession& session,
                              const std::string& dataset);

// Of open images, which are all alike. Without a name_of when an operation has several objects.
ObjectNaming names_in_images(const RunPlan& plan, const ClusterSession& session,
                             const Images& images);

// Objects of each image that a run may use: those of its working set, or, pinned, all there are.
std::uint64_t objects_in_each(const RunPlan& plan, const Images& images);

// The data objects of images that the pinned OSDs serve.
Result<Picked> pick_in_images(const RunPlan& plan, const ClusterSession& session,
                              const Images& images, const ObjectNaming& names,
                              const workload::Layout& layout);
// Objects of a run's own.
Result<Picked> pick_in_pool(const RunPlan& plan, const ClusterSession& session,
                            const workload::Layout& layout, const std::string& run_id);

}  // namespace radosload::prepare
