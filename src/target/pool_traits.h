// What a pool can do, asked of librados alone: no mon command, no rights beyond those of the load.
#pragma once

#include <cstdint>

#include "radosload/result.h"

#include "cluster/connection.h"
#include "workload/layout.h"

#include <rados/librados.hpp>

namespace radosload::target {

Result<workload::PoolTraits> pool_traits(librados::IoCtx& pool);

// Whether the pool has left the osdmap. Then every operation fails with ENOENT, as on an object
// that is missing.
bool pool_is_gone(cluster::Connection& connection, std::int64_t pool_id);

}  // namespace radosload::target
