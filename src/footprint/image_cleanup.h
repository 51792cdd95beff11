// Removing the images that a run made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/bounded_io.h"
#include "footprint/manifest.h"

namespace radosload::footprint {

struct ImagesRemoved {
  std::vector<std::string> removed;
  std::vector<std::string> missing;  // were not there: never made, or removed by somebody
  std::vector<std::string> foreign;  // others have that name now: left alone
  Status ended;                      // why it stopped early

  // "image vm1 removed, image vm2 was not there"
  std::string text() const;
};

// `progress` is told a share of it all, from the calling thread; false stops early.
ImagesRemoved remove_images(cluster::BoundedIo& io, const Manifest& manifest, Time stall_limit,
                            const std::function<bool(double)>& progress);

}  // namespace radosload::footprint
