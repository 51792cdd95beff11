#include "footprint/site.h"

#include <utility>

#include "footprint/io_error.h"

namespace radosload::footprint {

namespace {

cluster::BoundedIo handle_for(const cluster::BoundedIo& io) {
  cluster::BoundedIo given = io;
  librados::IoCtx pool;
  pool.dup(given.pool());
  pool.set_pool_full_try();
  return {given.handle(), std::move(pool), given.limit()};
}

}  // namespace

ClusterSite::ClusterSite(const cluster::BoundedIo& io, std::string pool)
    : m_io(handle_for(io)), m_ledger(m_io, std::move(pool)) {}

Removal ClusterSite::remove_objects(const Names& names, const RemovalOptions& options) {
  return footprint::remove_objects(m_io, names, options);
}

ImagesRemoved ClusterSite::remove_images(const Manifest& manifest, Time stall_limit,
                                         const std::function<bool(double)>& progress) {
  return footprint::remove_images(m_io, manifest, stall_limit, progress);
}

FilesRemoved ClusterSite::remove_files(const Manifest& manifest, const RemovalOptions& options) {
  return footprint::remove_files(m_io, manifest, options);
}

Result<std::unique_ptr<Lease>> ClusterSite::create(const Manifest& manifest) {
  RADOSLOAD_ASSIGN(std::unique_ptr<Lease> held, m_ledger.create(manifest));
  return held;
}

Result<std::unique_ptr<Lease>> ClusterSite::lease(const std::string& run) {
  RADOSLOAD_ASSIGN(std::unique_ptr<Lease> held, RunLease::acquire(m_io, run));
  return held;
}

Status ClusterSite::list_names(const Page& page) {
  cluster::BoundedIo::Cursor cursor;
  for (bool end = false; !end;) {
    std::vector<std::string> names;
    if (const int rc = m_io.list(cursor, names, end); rc < 0) {
      return fail(io_error("list the namespace", {}, rc, m_io.limit(), "cleanup"));
    }
    if (!page(names)) return {};
  }
  return {};
}

}  // namespace radosload::footprint
