// Removing the directory that a run made in a file system.
#pragma once

#include <string>

#include "radosload/result.h"

#include "cluster/bounded_io.h"
#include "cluster/mount.h"
#include "footprint/manifest.h"
#include "footprint/removal.h"

namespace radosload::footprint {

struct FilesRemoved {
  RemovalCount count = {};
  std::string text = {};  // "1000 files removed with /radosload/ID of the file system cephfs"
  Status ended = {};      // why some of it is left
};

// `io`: of the pool where the manifest is, which must be a data pool of the file system.
FilesRemoved remove_files(cluster::BoundedIo& io, const Manifest& manifest,
                          const RemovalOptions& options);

// The tree of /radosload, which is made if it is not there.
Result<std::shared_ptr<cluster::Mount>> open_runs_directory(const cluster::Connection& like,
                                                            const std::string& file_system);

}  // namespace radosload::footprint
