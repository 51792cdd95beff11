#include "cluster/image_mark.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

namespace radosload::cluster {

namespace {

// Up to the next space; the rest stays.
std::string first_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  std::string word(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

}  // namespace

std::string encode_mark(const ImageMark& mark) {
  return fmt::format("{} {} {}", mark.run, mark.id, mark.name);
}

std::string unfinished_image(const std::string& run, const std::string& name) {
  return fmt::format("radosload.{}.{}.new", run, name);
}

std::string image_set_aside(const std::string& run, const std::string& name) {
  return fmt::format("radosload.{}.{}.old", run, name);
}

MarkSeen mark_seen(int rc, std::string_view text, std::string_view id, std::string_view name) {
  if (rc == -ENOENT) return {};
  if (rc < 0) return {.rc = rc};
  ImageMark mark;
  mark.run = first_word(text);
  mark.id = first_word(text);
  mark.name = text;  // which may hold spaces
  const bool of_this_image = !mark.id.empty() && mark.id == id;
  const bool under_its_name = name == mark.name || name == unfinished_image(mark.run, mark.name) ||
                              name == image_set_aside(mark.run, mark.name);
  return {.marked = true, .run = of_this_image && under_its_name ? mark.run : std::string()};
}

}  // namespace radosload::cluster
