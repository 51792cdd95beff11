// CEPH_ARGS, as the ceph tools understand it: options that stand before those of the command line.
#pragma once

#include <string>

#include "radosload/run_plan.h"

namespace radosload::cluster {

// Fills in what the options leave open from the words of CEPH_ARGS that say how to reach a cluster
// (--conf, --id, --name, --keyring, --mon-host, --cluster and their short forms). librados itself
// reads the rest of them.
ClusterOptions with_ceph_args(ClusterOptions options, const std::string& ceph_args);

}  // namespace radosload::cluster
