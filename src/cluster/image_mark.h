// The mark of an image that radosload created, in the image's metadata: the run that created it,
// the image's ID and its name. librbd copies metadata to clones and copies, and a rename keeps it;
// so a mark is valid only for the image and the name that it was written for. Pure.
#pragma once

#include <string>
#include <string_view>

namespace radosload::cluster {

// The key of the mark in an image's metadata.
inline constexpr const char* made_by_key = "radosload.run";

struct ImageMark {
  std::string run = {};
  std::string id = {};    // of the image
  std::string name = {};  // that it gets, or has
};
std::string encode_mark(const ImageMark& mark);

// What a killed process may have left of an image that it was creating.
std::string unfinished_image(const std::string& run, const std::string& name);
// The temporary name of an image while it is being removed.
std::string image_set_aside(const std::string& run, const std::string& name);

// The result of reading an image's mark.
struct MarkSeen {
  int rc = 0;  // not 0: the mark could not be read; the image must not be treated as unmarked
  bool marked = false;   // there is a mark, valid or not
  std::string run = {};  // the run that created the image; empty: not created by radosload
};
// `rc` and `text`: librbd's answer; `id` and `name`: those of the image.
MarkSeen mark_seen(int rc, std::string_view text, std::string_view id, std::string_view name);

}  // namespace radosload::cluster
