// The connection of a run to its cluster: handles for the load, one for commands, the pool's
// properties, and the cluster's status. Refuses clusters that cannot be measured.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "radosload/admin_connection.h"
#include "radosload/object_placement.h"
#include "radosload/run_plan.h"

#include "cluster/client_socket.h"
#include "cluster/image.h"
#include "footprint/site.h"
#include "observe/cluster_status.h"
#include "observe/file_systems.h"
#include "placement/osd_inventory.h"
#include "placement/space_view.h"
#include "prepare/image_access.h"
#include "record/environment.h"
#include "target/rados_target.h"
#include "workload/layout.h"

namespace radosload::prepare {

struct ClusterSession {
  // Where each client can be asked what it has in flight; none: see `unsampled`. Outlives them.
  std::unique_ptr<cluster::SocketFolder> sockets;
  std::string unsampled;
  std::vector<target::RadosLane> lanes;                // one for each client
  std::vector<std::uint64_t> instances;                // and its number, as the cluster calls it
  std::vector<std::string> client_sockets;             // and its socket, if there are any
  std::map<std::string, std::string> client_settings;  // of librados and librbd, in force
  std::unique_ptr<AdminConnection> admin;
  std::unique_ptr<AdminConnection> observer;       // for counters of OSDs; none: not requested
  std::shared_ptr<footprint::RunSite> site;        // where the run notes what it makes
  std::shared_ptr<ImageAccess> images;             // of a run on images
  std::optional<observe::FileSystem> file_system;  // of a run on files
  workload::PoolTraits traits;
  observe::ClusterStatus status;
  placement::SpaceView space;        // of the pool of the data, and where its PGs are
  placement::OsdInventory osds;      // when the run is pinned to some
  std::vector<std::int32_t> pinned;  // which; empty: none
};

// Connects every client, each no narrower than the plan demands.
Result<ClusterSession> open_session(const RunPlan& plan);

// Reads space and PGs of another pool instead: the one that holds the data of images.
Status switch_to_pool(ClusterSession& session, std::int64_t pool);

// An Error with Exit::refused when the cluster's health does not allow a measurement, unless the
// plan allows it.
Status check_health(const RunPlan& plan, const ClusterSession& session);

// What the record says of the place. `locations`: where the objects lie, when it is known.
record::Environment environment_on(const RunPlan& plan, const ClusterSession& session,
                                   const std::vector<cluster::ImageInfo>& images = {},
                                   const ObjectPlacement* locations = nullptr);
// The same for targets without a cluster.
record::Environment environment_without_cluster(const RunPlan& plan);

}  // namespace radosload::prepare
