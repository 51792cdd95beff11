// Making and removing images of our own. What we made carries a mark (image_mark.h); nothing else
// is ever removed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/connection.h"
#include "cluster/image_mark.h"

#include <rados/librados.hpp>

namespace radosload::cluster {

struct NewImage {
  std::string name;
  Bytes size;
  Bytes object_size;      // a power of two
  std::string data_pool;  // empty: the same pool
  std::string run;        // that makes it
  bool cache = false;     // what its own rbd_cache says, whatever pool and client say
};

// The name is given last, when the mark is on it: an image of that name that was there before stays
// as it is, and what a killed process leaves has a name of ours.
Status make_image(const std::shared_ptr<Connection>& connection, const librados::IoCtx& pool,
                  const NewImage& image, Time limit);

struct ImageRemoval {
  Time limit = std::chrono::seconds(30);  // without any progress
  // Called now and then from the calling thread, with a share of it done; false gives up.
  std::function<bool(double done)> progress = {};
};

enum class ImageFate : std::uint8_t { removed, missing, foreign };

// Removes the image if the run made it. Images that somebody has open are waited for as long as
// clients that died keep theirs; whose it is is asked again before each try.
Result<ImageFate> remove_image(const std::shared_ptr<Connection>& connection,
                               const librados::IoCtx& pool, const std::string& name,
                               const std::string& run, const ImageRemoval& options);

}  // namespace radosload::cluster
