#include "footprint/reuse.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::footprint {

namespace {

tl::unexpected<Error> nothing(const std::string& which, std::string reason) {
  return fail(
      {.attempt = "reuse the objects of",
       .subject = which == "last" ? "an earlier run" : "run " + which,
       .reason = std::move(reason),
       .hint = "--keep makes a run keep its objects; without --reuse this run writes new ones",
       .exit = Exit::refused});
}

std::string osds_text(const std::vector<std::int32_t>& osds) {
  std::vector<std::string> names;
  for (const std::int32_t osd : osds) names.push_back(fmt::format("osd.{}", osd));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string listing(const std::vector<Entry>& entries, const Wanted& wanted) {
  std::vector<std::string> lines;
  for (const Entry& entry : entries) {
    const std::string reason = why_not(entry, wanted);
    lines.push_back(fmt::format("{}: {}", entry.run, reason.empty() ? "usable" : reason));
  }
  return fmt::format("{}", fmt::join(lines, "; "));
}

}  // namespace

std::string misfit(const Manifest& manifest, const Wanted& wanted) {
  if (manifest.content != wanted.content) {
    return fmt::format("its objects hold {}, not {}", content_name(manifest.content),
                       content_name(wanted.content));
  }
  if (manifest.object_size != wanted.object_size) {
    return fmt::format("its object size is {}, not {}", human_text(manifest.object_size),
                       human_text(wanted.object_size));
  }
  if (wanted.content == Content::omap && manifest.value_size != wanted.value_size) {
    return fmt::format("its value size is {}, not {}", human_text(manifest.value_size),
                       human_text(wanted.value_size));
  }
  if (wanted.content == Content::image && wanted.objects != manifest.objects &&
      manifest.images.size() > 1) {
    return fmt::format("its images hold {} objects together, not {}", manifest.objects,
                       wanted.objects);
  }
  if (wanted.content == Content::image && manifest.images.size() != wanted.image_count) {
    return fmt::format("it made {} images, not {}", manifest.images.size(), wanted.image_count);
  }
  if (manifest.image_nspace != wanted.image_nspace) {
    return fmt::format("its images are in namespace '{}', not '{}'", manifest.image_nspace,
                       wanted.image_nspace);
  }
  if (!wanted.images.empty() && manifest.images != wanted.images) {
    return fmt::format("it made other images: {}", fmt::join(manifest.images, ", "));
  }
  if (manifest.osds.empty() && !manifest.picked.empty()) {
    return "its objects belong to 'radosload probe'";
  }
  if (manifest.osds != wanted.osds) {
    if (manifest.osds.empty()) return "its objects were not chosen for OSDs";
    return fmt::format("its objects were chosen for {}", osds_text(manifest.osds));
  }
  // Of those that are picked, where each OSD's begin depends on how many there are.
  const bool as_many = manifest.objects == wanted.objects ||
                       (wanted.fewer_will_do && manifest.objects < wanted.objects);
  if (!wanted.osds.empty() && !as_many) {
    return fmt::format("it has {} objects for each OSD, not {}",
                       manifest.objects / manifest.osds.size(),
                       wanted.objects / wanted.osds.size());
  }
  if (wanted.osds.empty() && manifest.objects < wanted.objects) {
    return fmt::format("it has {} objects, not {}", manifest.objects, wanted.objects);
  }
  return {};
}

std::string why_not(const Entry& entry, const Wanted& wanted) {
  if (!entry.manifest) return entry.problem;
  const Manifest& manifest = *entry.manifest;
  if (manifest.state == State::filling) return "its prefill did not finish";
  if (manifest.state == State::deleting) return "a cleanup is removing it";
  if (!manifest.keep) return "it was not kept (--keep)";
  return misfit(manifest, wanted);
}

Result<Manifest> choose(const std::vector<Entry>& entries, const Wanted& wanted,
                        const std::string& which) {
  if (entries.empty()) return nothing(which, "no run has left objects in this namespace");
  if (which == "last") {
    const Entry* youngest = nullptr;
    for (const Entry& entry : entries) {
      if (!why_not(entry, wanted).empty()) continue;
      const bool younger =
          youngest == nullptr || entry.manifest->started >= youngest->manifest->started;
      if (younger) youngest = &entry;
    }
    if (youngest == nullptr) return nothing(which, listing(entries, wanted));
    return *youngest->manifest;
  }
  std::vector<const Entry*> named;
  for (const Entry& entry : entries) {
    if (entry.run == which) named = {&entry};
    if (entry.run == which) break;
    if (entry.run.starts_with(which)) named.push_back(&entry);
  }
  if (named.empty()) return nothing(which, "no run is usable; " + listing(entries, wanted));
  if (named.size() > 1)
    return nothing(which, fmt::format("{} run ids begin with that", named.size()));
  if (std::string reason = why_not(*named.front(), wanted); !reason.empty()) {
    return nothing(which, std::move(reason));
  }
  return *named.front()->manifest;
}

}  // namespace radosload::footprint
