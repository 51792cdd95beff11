// The image commands of image_commands.h, carried out by librbd within a time limit.
#pragma once

#include <memory>

#include "cluster/connection.h"
#include "cluster/image_commands.h"

#include <rados/librados.hpp>

namespace radosload::cluster {

// For one pool and RBD namespace. Each command returns within the limit; a removal returns within
// the limit after its last progress.
std::unique_ptr<ImageCommands> image_commands(const std::shared_ptr<Connection>& connection,
                                              const librados::IoCtx& pool, Time limit);

// All steps together take at most the limit; what takes longer keeps running in the background.
Status make_image(const std::shared_ptr<Connection>& connection, const librados::IoCtx& pool,
                  const NewImage& image, Time limit);

}  // namespace radosload::cluster
