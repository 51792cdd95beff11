// Where the objects of a run lie, for every operation to carry; and, when a run is pinned to OSDs,
// which objects it uses.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "radosload/object_placement.h"
#include "radosload/run_plan.h"

#include "placement/osd_inventory.h"
#include "prepare/cluster_session.h"
#include "prepare/object_naming.h"
#include "workload/layout.h"

namespace radosload::prepare {

// The OSDs that --osd names, in ascending order; empty when the run is not pinned.
Result<std::vector<std::int32_t>> pinned_osds(const PinPlan& pins,
                                              const placement::OsdInventory& inventory);

struct Picked {
  std::vector<std::uint64_t> numbers;  // OSD after OSD, as many for each
  std::vector<std::uint32_t> pgs;      // of each of them
};

// Which objects a pinned layout uses, `each` for every OSD. `candidates`: how many objects there
// are to choose from; 0: unlimited, because they are created as needed. If there are too few, fewer
// are used, unless the user gave a size.
Result<Picked> pick_objects(const RunPlan& plan, const ClusterSession& session,
                            const workload::Layout& layout, const ObjectNaming& names,
                            std::uint64_t candidates);

// The error when pinning is impossible because the PGs are unknown.
Error unseen_pgs(const ClusterSession& session);

// Where the objects with these numbers lie (all of the layout when none are given). Nothing when
// the PGs could not be seen, or an operation has several objects.
std::shared_ptr<ObjectPlacement> locate_objects(const ClusterSession& session,
                                                const workload::Layout& layout,
                                                const ObjectNaming& names,
                                                const std::vector<std::uint64_t>& numbers);

// Refuses reused objects that other OSDs serve now.
Status check_still_there(const ClusterSession& session, const workload::Layout& layout,
                         const ObjectPlacement& locations);

}  // namespace radosload::prepare
