// Creates and removes radosload's own images, step by step. An image that radosload created has a
// mark (image_mark.h), and only marked images are removed. librbd removes by name, and a client may
// move a name to another image at any time: so an image is first renamed to a name that only
// radosload uses, checked again under that name, and then removed. All steps go through
// ImageCommands; tests implement it over images in memory and let other clients act between any two
// steps.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "radosload/result.h"
#include "radosload/units.h"

#include "cluster/image_mark.h"

namespace radosload::cluster {

struct NewImage {
  std::string name;
  Bytes size;
  Bytes object_size;      // a power of two
  std::string data_pool;  // empty: the same pool
  std::string run;        // that makes it
  bool cache = false;     // the image's own rbd_cache; overrides the pool's and the client's
};

struct ImageSeen {
  MarkSeen mark;
  bool watched = false;  // another client has it open
};

// Called now and then from the calling thread, with the fraction done; returning false gives up.
using ImageProgress = std::function<bool(double done)>;

// The librbd commands that are needed, in one RBD namespace. An int is librbd's return code: a
// negative errno on failure.
class ImageCommands {
 public:
  ImageCommands() = default;
  virtual ~ImageCommands() = default;
  ImageCommands(const ImageCommands&) = delete;
  ImageCommands& operator=(const ImageCommands&) = delete;
  ImageCommands(ImageCommands&&) = delete;
  ImageCommands& operator=(ImageCommands&&) = delete;

  virtual int create(const NewImage& image, const std::string& name) = 0;
  // Marks the image with this name for its final name.
  virtual int mark(const NewImage& image, const std::string& name) = 0;
  virtual int rename(const std::string& from, const std::string& to) = 0;
  virtual ImageSeen query(const std::string& name) = 0;
  virtual int remove(const std::string& name, const ImageProgress& progress) = 0;
  virtual bool mirrored_from_elsewhere(const std::string& name) = 0;
  // Waits a moment for the client that has an image open; false when the wait has been long enough.
  virtual bool wait(const ImageProgress& progress) = 0;
};

// The image gets its final name last, after its mark: an image that already had the name is left
// alone, and what a killed process leaves has a name that only radosload uses.
Status make_image(ImageCommands& images, const NewImage& image);

enum class ImageFate : std::uint8_t { removed, missing, foreign };

// Removes the image if the run created it, and what a killed process left of creating or removing
// it. Waits for clients that have it open, for as long as Ceph keeps dead clients.
Result<ImageFate> remove_image(ImageCommands& images, const std::string& name,
                               const std::string& run, const ImageProgress& progress = {});

// The error for a failed step on an image, with what to do about it.
Error image_error(std::string attempt, const std::string& image, int rc);

}  // namespace radosload::cluster
