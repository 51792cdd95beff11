// The properties of a pool, from librados alone: no mon command, and no caps beyond those of the
// load.
#pragma once

#include <cstdint>

#include "radosload/result.h"

#include "cluster/connection.h"
#include "workload/layout.h"

#include <rados/librados.hpp>

namespace radosload::target {

Result<workload::PoolTraits> pool_traits(librados::IoCtx& pool);

// Whether the pool is gone from the osdmap. Then every operation fails with ENOENT, like one on a
// missing object.
bool pool_is_gone(cluster::Connection& connection, std::int64_t pool_id);

}  // namespace radosload::target
