#include "plan/validate.h"

#include <algorithm>
#include <cctype>

#include "plan/names.h"
#include "plan/options.h"
#include "plan/validate_drive.h"
#include "plan/validate_files.h"

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
  // A file system knows its pools.
  if (cluster && plan.pool.empty() && plan.target != TargetKind::cephfs) {
    return fail(contradiction("--pool is missing",
                              "give --pool POOL ('radosload status' lists the pools), or try it "
                              "without a cluster: --target sim"));
  }
  if (!cluster && !plan.pool.empty()) {
    return fail(contradiction(
        fmt::format("--target {} has no pools, but --pool {} is given", name_of(plan.target),
                    plan.pool),
        fmt::format("leave out --pool, or leave out --target to measure the pool {}", plan.pool)));
  }
  if (cluster && !plan.sim.empty()) {
    return fail(contradiction(
        "--sim and --threads describe a simulated cluster, but the target is a real one",
        "add --target sim, or leave out --sim and --threads"));
  }
  const bool drive = plan.target == TargetKind::block;
  if (!cluster && !drive && (plan.keep || !plan.reuse.empty())) {
    return fail(
        contradiction(fmt::format("--target {} has no objects that --keep and --reuse could use",
                                  name_of(plan.target)),
                      "leave out --keep and --reuse"));
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
  const bool names_image = !plan.images.names.empty() || plan.images.create.count > 0;
  return fail(contradiction(
      fmt::format("--{} is for RBD images, but --target {} has none", option->name,
                  name_of(plan.target)),
      names_image
          ? fmt::format("leave out --target to use images, or leave out --{}", option->name)
          : fmt::format("give --image NAME or --create SIZE, or leave out --{}", option->name)));
}

Status check_made_images(const RunPlan& plan) {
  if (any_snapshot(plan.images)) {
    return fail(contradiction("--create makes new images, but --image names a snapshot",
                              "leave out --create to read the snapshot, or leave out '@SNAP'"));
  }
  if (!plan.images.passphrase_file.empty()) {
    return fail(contradiction("--create makes images without encryption",
                              "leave out --luks-passphrase, or leave out --create and name an "
                              "encrypted image with --image"));
  }
  if (plan.images.destroy_data) {
    return fail(
        contradiction("--create and --destroy-data cannot be combined: a new image has no "
                      "data to destroy",
                      "leave out one of them"));
  }
  if (!plan.reuse.empty()) {
    return fail(contradiction("--create makes new images, --reuse uses existing ones",
                              "leave out --create and name the kept image with --image"));
  }
  return {};
}

Status check_existing_images(const RunPlan& plan) {
  const ImagePlan& images = plan.images;
  if (images.names.empty()) {
    return fail(contradiction("--target rbd needs an image",
                              "give --image NAME, or --create SIZE to make one"));
  }
  if (!images.data_pool.empty()) {
    return fail(contradiction("--data-pool is for new images; an existing image has its data pool",
                              "leave out --data-pool, or make an image with --create SIZE"));
  }
  if (plan.keep) {
    return fail(contradiction("--keep is for new images; radosload never removes existing ones",
                              "leave out --keep"));
  }
  if (any_snapshot(images) && plan.pattern.writes_data()) {
    return fail(contradiction("snapshots are read-only, but the pattern writes",
                              "read only (--read 100), or name the image without '@SNAP'"));
  }
  return {};
}

// Each handle needs images of its own, since the writers of one hand its lock to each other.
Status check_image_lanes(const RunPlan& plan) {
  const std::size_t images = plan.images.names.size();
  if (images <= 1 || plan.clients == 1 || images % plan.clients == 0) return {};
  return fail(contradiction(
      fmt::format("{} images cannot be divided among {} clients", images, plan.clients),
      "give --clients a number that divides the number of images"));
}

Status check_images(const RunPlan& plan) {
  // A drive has some of their options, and refuses the others itself.
  if (plan.target == TargetKind::block) return {};
  if (plan.target != TargetKind::rbd) return check_no_images(plan);
  if (!plan.pattern.is_data()) {
    return fail(
        contradiction(fmt::format("the pattern {} works on objects, but the target is an RBD image",
                                  plan.pattern.name),
                      "leave out --image and --create, or use a pattern of reads and writes"));
  }
  const bool made = plan.images.create.count > 0;
  if (auto fit = made ? check_made_images(plan) : check_existing_images(plan); !fit) return fit;
  return check_image_lanes(plan);
}

Status check_pins(const RunPlan& plan) {
  if (!plan.pins.any()) {
    if (plan.pins.mode == PinMode::primary) return {};
    return fail(contradiction("--pin all needs --osd", "name the OSDs: --osd 0,1,2"));
  }
  if (!needs_cluster(plan.target)) {
    return fail(
        contradiction(fmt::format("--osd chooses OSDs of a cluster, but --target {} has none",
                                  name_of(plan.target)),
                      "leave out --osd, or leave out --target"));
  }
  if (plan.pattern.metadata == OpKind::list) {
    return fail(contradiction(
        "--osd cannot be combined with the pattern list, which reads every PG of the pool",
        "leave out --osd, or use another pattern"));
  }
  // Made without names, there is one for each client.
  const bool made = plan.images.create.count > 0 && plan.images.names.empty();
  if ((made || plan.images.names.size() > 1) && plan.clients > 1) {
    return fail(contradiction("--osd cannot be combined with several images and several clients",
                              "use one client, or one image"));
  }
  return {};
}

Status check_observer(const RunPlan& plan) {
  if (!plan.observer.any() && !plan.observer.keyring.empty()) {
    return fail(contradiction("--observer-keyring needs --observer-id",
                              "name the user of that keyring: --observer-id ID"));
  }
  if (plan.observer.any() && !needs_cluster(plan.target)) {
    return fail(
        contradiction(fmt::format("--observer-id reads counters of OSDs, but --target {} has none",
                                  name_of(plan.target)),
                      "leave out --observer-id, or leave out --target"));
  }
  return {};
}

Status check_session(const RunPlan& plan) {
  const SessionPlan& session = plan.session;
  if (!session.any()) {
    if (session.members.empty() && session.share == Sharing::split) return {};
    return fail(contradiction("--members and --share need --session",
                              "name the session: --session NAME, the same on every machine"));
  }
  if (session.members.empty()) {
    return fail(contradiction("--session needs --members",
                              "say how many processes there will be: --members 8, or 4-8"));
  }
  const auto& name = session.name;
  const bool plain = name.size() <= 40 && std::all_of(name.begin(), name.end(), [](char letter) {
                       return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                              letter == '-' || letter == '_';
                     });
  if (!plain) {
    return fail(contradiction(fmt::format("'{}' cannot be the name of a session", name),
                              "use up to 40 letters, digits, '-' and '_'"));
  }
  // What members cannot divide yet.
  const bool images = plan.target == TargetKind::rbd;
  const char* unsupported = !needs_cluster(plan.target)             ? "a target without a cluster"
                            : images && plan.pins.any()             ? "images and --osd together"
                            : !plan.reuse.empty()                   ? "--reuse"
                            : plan.warmup_auto                      ? "--warmup auto"
                            : plan.power.any()                      ? "--power or --power-cmd"
                            : plan.pattern.cache == CacheMode::drop ? "--cache drop"
                                                                    : nullptr;
  if (unsupported != nullptr) {
    return fail(contradiction(fmt::format("--session does not work with {} yet", unsupported),
                              "leave it out, or --session"));
  }
  return {};
}

Status check_load(const RunPlan& plan) {
  if (plan.clients == 0) return fail(contradiction("--clients is 0", "give 1 or more"));
  if (plan.pattern.queue_depth < plan.clients) {
    return fail(contradiction(
        fmt::format("--qd {} is less than --clients {}", plan.pattern.queue_depth, plan.clients),
        fmt::format("--qd is the total of all clients: give --qd {} or more", plan.clients)));
  }
  constexpr std::uint64_t sector = 512;
  if (!plan.reuse.empty() && plan.pattern.writes_data() &&
      plan.pattern.block_size.count % sector != 0) {
    return fail(
        contradiction(fmt::format("writes of {} would break the stamps in the objects of --reuse",
                                  option_text(plan.pattern.block_size)),
                      "give --bs a multiple of 512, or leave out --reuse"));
  }
  const Extent& extent = plan.extent;
  if (extent.time == Time(0) && extent.ops == 0 && extent.bytes.count == 0) {
    return fail(
        contradiction("the run would never end: --time is 0, and neither --ops nor --bytes "
                      "is given",
                      "give --time, --ops or --bytes"));
  }
  if (extent.bytes.count > 0 && !plan.pattern.is_data()) {
    return fail(contradiction(
        fmt::format("--bytes cannot end a run of {}, which moves no data", plan.pattern.name),
        "use --time or --ops"));
  }
  return {};
}

}  // namespace

Status validate(const RunPlan& plan) {
  if (auto drive = check_drive(plan); !drive) return drive;
  if (auto files = check_files(plan); !files) return files;
  if (auto place = check_place(plan); !place) return place;
  if (auto images = check_images(plan); !images) return images;
  if (auto pins = check_pins(plan); !pins) return pins;
  if (auto observer = check_observer(plan); !observer) return observer;
  if (auto session = check_session(plan); !session) return session;
  return check_load(plan);
}

}  // namespace radosload::plan
