// The commands about images (image_commands.h) as librbd carries them out, within a limit of time.
#pragma once

#include <memory>

#include "cluster/connection.h"
#include "cluster/image_commands.h"

#include <rados/librados.hpp>

namespace radosload::cluster {

// Of the pool and RBD namespace. Each command comes back within the limit; one that removes, within
// the limit after it last got on.
std::unique_ptr<ImageCommands> image_commands(const std::shared_ptr<Connection>& connection,
                                              const librados::IoCtx& pool, Time limit);

// As a whole within the limit. What takes longer goes on unwatched.
Status make_image(const std::shared_ptr<Connection>& connection, const librados::IoCtx& pool,
                  const NewImage& image, Time limit);

}  // namespace radosload::cluster
