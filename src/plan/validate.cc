#include "plan/validate.h"

#include <algorithm>

#include "plan/options.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

Error contradiction(std::string reason, std::string hint) {
  return Error{.attempt = "plan the run",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage};
}

Status check_place(const RunPlan& plan) {
  const bool cluster = needs_cluster(plan.target);
  if (cluster && plan.pool.empty()) {
    return fail(contradiction("no pool is named", "name one with --pool"));
  }
  if (!cluster && !plan.pool.empty()) {
    return fail(contradiction("--pool and a target that is no cluster exclude each other",
                              "leave out one of --pool and --target"));
  }
  if (cluster && !plan.sim.empty()) {
    return fail(
        contradiction("--sim describes a simulated cluster", "add --target sim, or --target null"));
  }
  if (!cluster && (plan.keep || !plan.reuse.empty())) {
    return fail(contradiction("--keep and --reuse are about objects in a pool",
                              "leave them out with this target"));
  }
  return {};
}

bool any_snapshot(const ImagePlan& images) {
  return std::any_of(images.names.begin(), images.names.end(),
                     [](const std::string& name) { return name.find('@') != std::string::npos; });
}

Status check_no_images(const RunPlan& plan) {
  const RunPlan untouched;
  const Option* option = nullptr;
  for (const Option& one : options()) {
    if (one.group != Group::images || !one.recorded()) continue;
    if (option == nullptr && one.get(plan) != one.get(untouched)) option = &one;
  }
  if (option == nullptr) return {};
  return fail(
      contradiction(fmt::format("--{} is about RBD images, and this target has none", option->name),
                    "leave out --target, or name an image with --image or --create"));
}

Status check_made_images(const RunPlan& plan) {
  if (any_snapshot(plan.images)) {
    return fail(contradiction("--create makes images, and a snapshot is named",
                              "leave out --create to read the snapshot, or the part from @ on"));
  }
  if (!plan.images.passphrase_file.empty()) {
    return fail(contradiction("--create makes images without encryption",
                              "leave out --luks-passphrase, or name an encrypted image"));
  }
  if (plan.images.destroy_data) {
    return fail(contradiction("--create and --destroy-data exclude each other",
                              "a new image has no data to destroy"));
  }
  if (!plan.reuse.empty()) {
    return fail(
        contradiction("--create and --reuse exclude each other", "name the image with --image"));
  }
  return {};
}

Status check_existing_images(const RunPlan& plan) {
  const ImagePlan& images = plan.images;
  if (images.names.empty()) {
    return fail(contradiction("no image is named",
                              "name one with --image, or make one with --create SIZE"));
  }
  if (!images.data_pool.empty()) {
    return fail(contradiction("--data-pool is for images that are made",
                              "leave it out, an image knows its own; or add --create SIZE"));
  }
  if (plan.keep) {
    return fail(contradiction("--keep is for images that are made", "existing ones stay anyway"));
  }
  if (any_snapshot(images) && plan.pattern.writes_data()) {
    return fail(contradiction("snapshots are read-only, and the pattern writes",
                              "read from it: read=100, or name the image itself"));
  }
  return {};
}

// Each handle needs images of its own, since the writers of one hand its lock to each other.
Status check_image_lanes(const RunPlan& plan) {
  const std::size_t images = plan.images.names.size();
  if (images <= 1 || plan.clients == 1 || images % plan.clients == 0) return {};
  return fail(contradiction(
      fmt::format("{} images cannot be shared out among {} clients", images, plan.clients),
      "give each client the same number of images"));
}

Status check_images(const RunPlan& plan) {
  if (plan.target != TargetKind::rbd) return check_no_images(plan);
  if (!plan.pattern.is_data()) {
    return fail(contradiction(
        fmt::format("{} is about objects, and images have none to show", plan.pattern.name),
        "leave out --image, or take a pattern of reads and writes"));
  }
  const bool made = plan.images.create.count > 0;
  if (auto fit = made ? check_made_images(plan) : check_existing_images(plan); !fit) return fit;
  return check_image_lanes(plan);
}

Status check_pins(const RunPlan& plan) {
  if (!plan.pins.any()) {
    if (plan.pins.mode == PinMode::primary) return {};
    return fail(contradiction("--pin all is about OSDs, and none are named", "name them: --osd"));
  }
  if (!needs_cluster(plan.target)) {
    return fail(contradiction("--osd is about the OSDs of a cluster, and this target has none",
                              "leave out --osd, or --target"));
  }
  if (plan.pattern.metadata == OpKind::list) {
    return fail(contradiction("a listing goes through every placement group of the pool",
                              "leave out --osd, or take another pattern"));
  }
  // Made without names, there is one for each client.
  const bool made = plan.images.create.count > 0 && plan.images.names.empty();
  if ((made || plan.images.names.size() > 1) && plan.clients > 1) {
    return fail(contradiction("--osd with several images and several clients",
                              "each client would need images of its own on every OSD: take one "
                              "client, or one image"));
  }
  return {};
}

Status check_observer(const RunPlan& plan) {
  if (!plan.observer.any() && !plan.observer.keyring.empty()) {
    return fail(contradiction("--observer-keyring is of a user, and none is named",
                              "name the user: --observer-id"));
  }
  if (plan.observer.any() && !needs_cluster(plan.target)) {
    return fail(contradiction("--observer-id reads counters of OSDs, and this target has none",
                              "leave out --observer-id, or --target"));
  }
  return {};
}

Status check_load(const RunPlan& plan) {
  if (plan.clients == 0) return fail(contradiction("--clients is 0", "one is the least"));
  if (plan.pattern.queue_depth < plan.clients) {
    return fail(contradiction(
        fmt::format("--qd {} is less than --clients {}", plan.pattern.queue_depth, plan.clients),
        "--qd is the total over all clients: each needs one operation at least"));
  }
  constexpr std::uint64_t sector = 512;
  if (!plan.reuse.empty() && plan.pattern.writes_data() &&
      plan.pattern.block_size.count % sector != 0) {
    return fail(contradiction(
        fmt::format("writes of {} would cut the stamps of what is in the objects of --reuse",
                    option_text(plan.pattern.block_size)),
        "take blocks of a multiple of 512 bytes, or leave out --reuse"));
  }
  const Extent& extent = plan.extent;
  if (extent.time == Time(0) && extent.ops == 0 && extent.bytes.count == 0) {
    return fail(contradiction("the run has no end", "give --time, --ops or --bytes"));
  }
  if (extent.bytes.count > 0 && !plan.pattern.is_data()) {
    return fail(contradiction(
        fmt::format("--bytes never ends a run of {}, which moves no data", plan.pattern.name),
        "use --time or --ops"));
  }
  return {};
}

}  // namespace

Status validate(const RunPlan& plan) {
  if (auto place = check_place(plan); !place) return place;
  if (auto images = check_images(plan); !images) return images;
  if (auto pins = check_pins(plan); !pins) return pins;
  if (auto observer = check_observer(plan); !observer) return observer;
  return check_load(plan);
}

}  // namespace radosload::plan
