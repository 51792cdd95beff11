#include "footprint/image_cleanup.h"

#include <cerrno>

#include "radosload/printable.h"

#include "cluster/image_admin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::footprint {

namespace {

void add(std::vector<std::string>& parts, const std::vector<std::string>& images,
         const std::string& what) {
  if (images.empty()) return;
  parts.push_back(fmt::format("image{} {} {}", images.size() == 1 ? "" : "s",
                              printable(fmt::format("{}", fmt::join(images, ", "))), what));
}

void note(ImagesRemoved& result, const std::string& name, cluster::ImageFate fate) {
  switch (fate) {
    case cluster::ImageFate::removed:
      result.removed.push_back(name);
      break;
    case cluster::ImageFate::missing:
      result.missing.push_back(name);
      break;
    case cluster::ImageFate::foreign:
      result.foreign.push_back(name);
      break;
  }
}

// What keeps one image from being removed is most often about that image alone.
bool concerns_all(const Error& error) {
  return error.errnum == EINTR || error.errnum == ETIMEDOUT;
}

}  // namespace

std::string ImagesRemoved::text() const {
  std::vector<std::string> parts;
  add(parts, removed, "removed");
  add(parts, missing, "not found");
  add(parts, foreign, "not created by this run: left alone");
  return fmt::format("{}", fmt::join(parts, ", "));
}

ImagesRemoved remove_images(cluster::BoundedIo& io, const Manifest& manifest, Time stall_limit,
                            const cluster::ImageProgress& progress) {
  librados::IoCtx pool;
  pool.dup(io.pool());
  pool.set_namespace(manifest.image_nspace);
  const auto images = cluster::image_commands(io.handle(), pool, stall_limit);
  return remove_images(*images, manifest, progress);
}

ImagesRemoved remove_images(cluster::ImageCommands& images, const Manifest& manifest,
                            const cluster::ImageProgress& progress) {
  ImagesRemoved result;
  std::vector<Error> errors;
  const auto all = static_cast<double>(manifest.images.size());
  double before = 0;
  for (const std::string& name : manifest.images) {
    const auto fate = cluster::remove_image(images, name, manifest.run, [&](double share) {
      return !progress || progress((before + share) / all);
    });
    before += 1;
    if (fate) {
      note(result, name, *fate);
      continue;
    }
    errors.push_back(fate.error());
    if (concerns_all(fate.error())) break;
  }
  if (errors.empty()) return result;
  Error first = errors.front();
  if (errors.size() > 1) {
    first.attempt = fmt::format("remove {} images, the first of them", errors.size());
  }
  result.ended = fail(std::move(first));
  return result;
}

}  // namespace radosload::footprint
