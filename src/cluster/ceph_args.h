// CEPH_ARGS, as the ceph tools read it: options that are put before those of the command line.
#pragma once

#include <string>

#include "radosload/run_plan.h"

namespace radosload::cluster {

// Fills in unset options from the options of CEPH_ARGS that select a cluster (--conf, --id, --name,
// --keyring, --mon-host, --cluster and their short forms). librados reads the others itself.
ClusterOptions with_ceph_args(ClusterOptions options, const std::string& ceph_args);

}  // namespace radosload::cluster
