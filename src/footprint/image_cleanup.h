// Removing the images that a run made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/bounded_io.h"
#include "cluster/image_commands.h"
#include "footprint/manifest.h"

namespace radosload::footprint {

struct ImagesRemoved {
  std::vector<std::string> removed;
  std::vector<std::string> missing;  // did not exist: never created, or removed
  std::vector<std::string> foreign;  // another image has that name now: left alone
  Status ended;                      // why some are left

  // "image vm1 removed, image vm2 not found"
  std::string text() const;
};

// `progress` gets the share that is done. If one cannot be removed, the others still are; the
// error is that of the first.
ImagesRemoved remove_images(cluster::ImageCommands& images, const Manifest& manifest,
                            const cluster::ImageProgress& progress);
ImagesRemoved remove_images(cluster::BoundedIo& io, const Manifest& manifest, Time stall_limit,
                            const cluster::ImageProgress& progress);

}  // namespace radosload::footprint
