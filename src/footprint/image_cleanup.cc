#include "footprint/image_cleanup.h"

#include "cluster/image_admin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::footprint {

namespace {

void add(std::vector<std::string>& parts, const std::vector<std::string>& images,
         const std::string& what) {
  if (images.empty()) return;
  parts.push_back(
      fmt::format("image{} {} {}", images.size() == 1 ? "" : "s", fmt::join(images, ", "), what));
}

// The image, or what a killed process left of the making of it.
Result<cluster::ImageFate> remove_one(cluster::BoundedIo& io, const librados::IoCtx& pool,
                                      const Manifest& manifest, const std::string& name,
                                      const cluster::ImageRemoval& options) {
  auto fate = cluster::remove_image(io.handle(), pool, name, manifest.run, options);
  if (!fate || *fate == cluster::ImageFate::removed) return fate;
  const std::string unfinished = cluster::unfinished_image(manifest.run, name);
  auto other = cluster::remove_image(io.handle(), pool, unfinished, manifest.run, options);
  if (!other || *other == cluster::ImageFate::removed) return other;
  return fate;
}

}  // namespace

std::string ImagesRemoved::text() const {
  std::vector<std::string> parts;
  add(parts, removed, "removed");
  add(parts, missing, "not there");
  add(parts, foreign, "not made by this run: left alone");
  return fmt::format("{}", fmt::join(parts, ", "));
}

ImagesRemoved remove_images(cluster::BoundedIo& io, const Manifest& manifest, Time stall_limit,
                            const std::function<bool(double)>& progress) {
  librados::IoCtx pool;
  pool.dup(io.pool());
  pool.set_namespace(manifest.image_nspace);
  ImagesRemoved result;
  const auto all = static_cast<double>(manifest.images.size());
  double before = 0;
  cluster::ImageRemoval options{.limit = stall_limit};
  options.progress = [&](double share) { return progress((before + share) / all); };
  for (const std::string& name : manifest.images) {
    const auto fate = remove_one(io, pool, manifest, name, options);
    if (!fate) {
      result.ended = fail(fate.error());
      return result;
    }
    switch (*fate) {
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
    before += 1;
  }
  return result;
}

}  // namespace radosload::footprint
