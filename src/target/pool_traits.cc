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
    return fail(
        {.attempt = "read the properties of pool",
         .subject = pool.get_pool_name(),
         .hint = rc == -ENOENT ? "check whether the pool still exists: 'ceph osd pool ls'" : "",
         .errnum = -rc,
         .exit = Exit::no_cluster});
  }
  workload::PoolTraits traits;
  traits.overwrites = !appends_only;
  // librados returns the stripe width of an EC pool even when it allows overwrites, and 0 for a
  // replicated pool. So the width tells the type of the pool, and appends_only tells whether writes
  // must be aligned.
  traits.omap = stripe == 0;
  if (appends_only) traits.alignment = Bytes{stripe};
  return traits;
}

bool pool_is_gone(cluster::Connection& connection, std::int64_t pool_id) {
  std::string name;
  return connection.rados().pool_reverse_lookup(pool_id, &name) == -ENOENT;
}

}  // namespace radosload::target
