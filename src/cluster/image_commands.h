// Making and removing images of our own, step by step. What we made carries a mark (image_mark.h),
// and nothing else is ever removed. librbd removes by name alone, and anybody may give a name to
// another image at any time: so an image first gets a name that nobody else gives, is looked at
// again under that, and goes then. All of it is done through ImageCommands; tests have them over
// images in memory, where others act between any two.
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
  bool cache = false;     // what its own rbd_cache says, whatever pool and client say
};

struct ImageSeen {
  MarkSeen mark;
  bool watched = false;  // somebody has it open
};

// Called now and then from the calling thread, with the share that is done; false gives up.
using ImageProgress = std::function<bool(double done)>;

// What is asked of librbd, in one RBD namespace. A number is librbd's answer: negative, it is an
// errno.
class ImageCommands {
 public:
  ImageCommands() = default;
  virtual ~ImageCommands() = default;
  ImageCommands(const ImageCommands&) = delete;
  ImageCommands& operator=(const ImageCommands&) = delete;
  ImageCommands(ImageCommands&&) = delete;
  ImageCommands& operator=(ImageCommands&&) = delete;

  virtual int create(const NewImage& image, const std::string& name) = 0;
  // On the image that has this name now, for the name that it will get.
  virtual int mark(const NewImage& image, const std::string& name) = 0;
  virtual int rename(const std::string& from, const std::string& to) = 0;
  virtual ImageSeen look(const std::string& name) = 0;
  virtual int remove(const std::string& name, const ImageProgress& progress) = 0;
  virtual bool mirrored_from_elsewhere(const std::string& name) = 0;
  // Waits a moment for whoever has an image open; false: that was long enough.
  virtual bool wait(const ImageProgress& progress) = 0;
};

// The name is given last, when the mark is on it: an image of that name that was there before stays
// as it is, and what a killed process leaves has a name of ours.
Status make_image(ImageCommands& images, const NewImage& image);

enum class ImageFate : std::uint8_t { removed, missing, foreign };

// Removes the image if the run made it, and what a killed process has left of making or of removing
// it. Images that somebody has open are waited for as long as clients that died keep theirs.
Result<ImageFate> remove_image(ImageCommands& images, const std::string& name,
                               const std::string& run, const ImageProgress& progress = {});

// What went wrong with an image, and what to do about it.
Error image_error(std::string attempt, const std::string& image, int rc);

}  // namespace radosload::cluster
