// What says that an image is ours: its mark, in the image's own metadata, names the run that made
// it, the image's id and its name. librbd copies metadata to clones and copies, and a rename leaves
// it as it is; so a mark counts only on the image, and under the name, that it was made for. Pure.
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

// What a killed process may have left of an image it was about to make.
std::string unfinished_image(const std::string& run, const std::string& name);
// The name that an image of ours has while it is removed.
std::string image_set_aside(const std::string& run, const std::string& name);

// What asking an image for its mark has brought.
struct MarkSeen {
  int rc = 0;            // not 0: nobody knows, and it must not be taken for an unmarked one
  bool marked = false;   // there is one, whether it counts or not
  std::string run = {};  // that made the image; empty: none of ours
};
// `rc` and `text`: librbd's answer; `id` and `name`: of the image that was asked.
MarkSeen mark_seen(int rc, std::string_view text, std::string_view id, std::string_view name);

}  // namespace radosload::cluster
