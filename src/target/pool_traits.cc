#include "target/pool_traits.h"

#include <cerrno>
#include <string>

namespace radosload::target {

Result<workload::PoolTraits> pool_traits(librados::IoCtx& pool) {
  bool appends_only = false;
  std::uint64_t stripe = 0;
  int rc = pool.pool_requires_alignment2(&appends_only);
  if (rc >= 0) rc = pool.pool_required_alignment2(&stripe);
  if (rc < 0) {
    return fail({.attempt = "ask what the pool can do:",
                 .subject = pool.get_pool_name(),
                 .hint = rc == -ENOENT ? "has the pool just been deleted?" : "",
                 .errnum = -rc,
                 .exit = Exit::no_cluster});
  }
  workload::PoolTraits traits;
  traits.overwrites = !appends_only;
  // The stripe width of an EC pool comes back even when it allows overwrites; of a replicated one
  // it is 0. So it says which kind of pool this is, and appends_only says whether it binds.
  traits.omap = stripe == 0;
  if (appends_only) traits.alignment = Bytes{stripe};
  return traits;
}

bool pool_is_gone(cluster::Connection& connection, std::int64_t pool_id) {
  std::string name;
  return connection.rados().pool_reverse_lookup(pool_id, &name) == -ENOENT;
}

}  // namespace radosload::target
