#include "prepare/images.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "cluster/passphrase.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::prepare {

namespace {

using cluster::ImageInfo;

constexpr Bytes smallest_object = kib(4);
constexpr Bytes largest_object = mib(32);

Error refusal(const std::string& image, std::string reason, std::string hint) {
  return Error{.attempt = "use the image",
               .subject = image,
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::refused};
}

// Which of the images a lane works on. One image may serve several lanes; of several each has its
// own.
workload::Share images_of(std::size_t lane, std::size_t images, std::size_t lanes) {
  if (images == 1) return {0, 1};
  return workload::share_of(images, static_cast<std::uint32_t>(lane),
                            static_cast<std::uint32_t>(lanes));
}

// Prefill writes too; what an earlier run kept needs none.
bool writes(const RunPlan& plan) {
  return plan.pattern.writes_data() || plan.reuse.empty();
}

Status check_made_by_us(const RunPlan& plan, const ImageInfo& info) {
  if (!info.made_by.empty() || plan.images.destroy_data) return {};
  return fail(refusal(
      info.spec.text(),
      info.copied_mark ? "radosload did not create it (its mark belongs to the image it was "
                         "copied, cloned or renamed from), and a run overwrites its images"
                       : "radosload did not create it, and a run overwrites its images",
      "--destroy-data allows it to be overwritten; --create SIZE creates a new image"));
}

Status check_shape(const ImageInfo& info, const RunPlan& plan) {
  const std::string name = info.spec.text();
  if (info.luks > 0 && !info.open) {
    return fail(refusal(name,
                        "it is encrypted (LUKS): writes without its key would destroy its header",
                        "--luks-passphrase FILE opens it"));
  }
  const bool striped = info.stripe_count > 1 || info.stripe_unit != info.object_size;
  if (striped && info.stripe_unit.count % plan.pattern.block_size.count != 0) {
    return fail(
        refusal(name,
                fmt::format("its stripe unit is {}: operations of {} would span two objects",
                            option_text(info.stripe_unit), option_text(plan.pattern.block_size)),
                "take a block size that divides the stripe unit"));
  }
  return {};
}

Status check_alike(const std::vector<ImageInfo>& infos) {
  const ImageInfo& first = infos.front();
  for (const ImageInfo& info : infos) {
    const bool same_striping =
        info.stripe_unit == first.stripe_unit && info.stripe_count == first.stripe_count;
    if (info.size == first.size && info.object_size == first.object_size && same_striping) continue;
    return fail(
        refusal(info.spec.text(),
                fmt::format("it differs from {}: {} in objects of {}, not {} in {}",
                            first.spec.text(), human_text(info.size), human_text(info.object_size),
                            human_text(first.size), human_text(first.object_size)),
                "images of one run have the same size and the same object size"));
  }
  return {};
}

// Each client of each process has images of its own, or all have the same.
Status check_divisible(std::size_t images, std::uint64_t clients) {
  if (images == 1 || clients == 1 || images % clients == 0) return {};
  return fail(
      {.attempt = "divide the images among the members",
       .reason = fmt::format("{} images cannot be divided among {} clients", images, clients),
       .hint = fmt::format("name {} images, or as many for each client", clients),
       .exit = Exit::usage});
}

Status check_object_size(Bytes size) {
  if (std::has_single_bit(size.count) && size >= smallest_object && size <= largest_object) {
    return {};
  }
  return fail({.attempt = "make an image",
               .reason = fmt::format(
                   "an image's object size is a power of two from {} to {}, not {}",
                   option_text(smallest_object), option_text(largest_object), option_text(size)),
               .hint = "give another object-size",
               .exit = Exit::usage});
}

bool names_data_by_id(const ImageInfo& image) {
  return !image.id.empty() && image.block_prefix.ends_with(image.id);
}

// An image that another process opens. All are alike, which the first process checks, so the others
// need only the names of its data objects: if each of a thousand opened the images of all, that
// would be a million openings.
Result<ImageInfo> like(const ImageInfo& own, const cluster::ImageSpec& spec,
                       const std::string& id) {
  ImageInfo other = own;
  other.spec = spec;
  other.id = id;
  other.block_prefix.replace(own.block_prefix.size() - own.id.size(), own.id.size(), id);
  return other;
}

Result<cluster::Passphrase> passphrase_of(const RunPlan& plan) {
  if (plan.images.passphrase_file.empty()) return cluster::Passphrase();
  return cluster::Passphrase::read(plan.images.passphrase_file);
}

std::vector<cluster::ImageSpec> specs_for(const RunPlan& plan, const std::string& run_id,
                                          std::uint32_t processes) {
  std::vector<cluster::ImageSpec> specs;
  for (const std::string& name : plan.images.names) specs.push_back(cluster::image_spec(name));
  if (!specs.empty()) return specs;
  for (std::uint64_t i = 0; i < image_count(plan, processes); ++i) {
    specs.push_back({fmt::format("radosload.{}.{}", run_id, i), {}});
  }
  return specs;
}

}  // namespace

workload::PoolTraits Images::traits() {
  return {.overwrites = true, .alignment = {}, .omap = false, .flush = true};
}

Result<Images> Images::inspect(const RunPlan& plan, const ClusterSession& session,
                               const std::string& run_id, workload::Part part) {
  Images images;
  images.m_part = part;
  images.m_specs = specs_for(plan, run_id, part.of);
  images.m_create = plan.images.create;
  RADOSLOAD_TRY(check_divisible(images.m_specs.size(), images.clients(plan)));
  if (images.to_be_made()) {
    RADOSLOAD_TRY(check_object_size(plan.pattern.object_size));
    RADOSLOAD_TRY(images.check_lock(plan));
    return images;
  }
  RADOSLOAD_TRY(images.open(plan, session));
  RADOSLOAD_TRY(images.check(plan));
  return images;
}

Status Images::open(const RunPlan& plan, const ClusterSession& session) {
  RADOSLOAD_ASSIGN(const auto passphrase, passphrase_of(plan));
  const std::size_t own = session.lanes.size();
  std::vector<std::optional<ImageInfo>> infos(m_specs.size());
  for (std::size_t lane = 0; lane < own; ++lane) {
    const auto [begin, end] = images_of(m_part.index * own + lane, m_specs.size(), m_part.of * own);
    target::RbdLane opened{.images = {}, .first_image = begin};
    for (std::uint64_t i = begin; i < end; ++i) {
      RADOSLOAD_ASSIGN(auto image, session.images->open(lane, m_specs[i], passphrase));
      opened.images.push_back(std::move(image.handle));
      // One image that serves several lanes is the same for each.
      if (!infos[i]) infos[i] = std::move(image.info);
    }
    m_lanes.push_back(std::move(opened));
  }
  std::map<std::string, std::string> ids;
  if (m_part.index > 0 || (!m_part.whole() && to_be_made())) {
    if (auto listed = session.images->ids()) ids = *std::move(listed);
  }
  const ImageInfo own_image = *infos[m_lanes.front().first_image];
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (!infos[i]) {
      const auto id = ids.find(m_specs[i].name);
      RADOSLOAD_ASSIGN(infos[i], id != ids.end() && names_data_by_id(own_image)
                                     ? like(own_image, m_specs[i], id->second)
                                     : session.images->look(m_specs[i], passphrase));
    }
    m_infos.push_back(*std::move(infos[i]));
  }
  return {};
}

Status Images::check_writing(const RunPlan& plan, const ImageInfo& info) const {
  const std::string name = info.spec.text();
  // The first process looks before the others open them.
  if (!info.users.empty() && m_part.index == 0) {
    return fail(refusal(name,
                        fmt::format("other clients have it open: {}", fmt::join(info.users, "; ")),
                        "stop them first; the cluster forgets a dead client after 30 s"));
  }
  if (info.mirroring == cluster::Mirroring::secondary) {
    return fail(refusal(name, "it is mirrored from another cluster and can only be read here",
                        "measure it there, or take another image; 'rbd mirror image promote' makes "
                        "it writable"));
  }
  if (auto ours = check_made_by_us(plan, info); !ours) return ours;
  return info.has("exclusive-lock") ? check_lock(plan) : Status{};
}

Status Images::check_lock(const RunPlan& plan) const {
  if (clients(plan) == 1 || plan.images.names.size() != 1) return {};
  return fail(
      refusal(plan.images.names.front(),
              fmt::format("{} clients would pass its exclusive lock to each other with every write",
                          clients(plan)),
              "give each client an image of its own: --create SIZE without --image makes them"));
}

Status Images::check(const RunPlan& plan) const {
  if (auto alike = check_alike(m_infos); !alike) return alike;
  for (const ImageInfo& info : m_infos) {
    if (auto shape = check_shape(info, plan); !shape) return shape;
    if (!info.spec.snapshot.empty() || !writes(plan)) continue;
    if (auto allowed = check_writing(plan, info); !allowed) return allowed;
  }
  return {};
}

ImageShape Images::shape() const {
  if (to_be_made()) return {.size = m_create, .object_size = {}, .count = m_specs.size()};
  const ImageInfo& info = m_infos.front();
  // Operations on a striped image stay within a unit, and so within an object.
  return {.size = info.size, .object_size = info.stripe_unit, .count = m_specs.size()};
}

std::vector<std::string> Images::names() const {
  std::vector<std::string> names;
  for (const auto& spec : m_specs) names.push_back(spec.text());
  return names;
}

std::string Images::made_by() const {
  if (m_infos.empty()) return {};
  const std::string& run = m_infos.front().made_by;
  const bool same = std::all_of(m_infos.begin(), m_infos.end(),
                                [&](const ImageInfo& info) { return info.made_by == run; });
  return same ? run : "";
}

Status Images::make(const RunPlan& plan, const ClusterSession& session, const std::string& run_id,
                    Bytes object_size) {
  for (const auto& spec : m_specs) {
    RADOSLOAD_TRY(session.images->make({.name = spec.name,
                                        .size = m_create,
                                        .object_size = object_size,
                                        .data_pool = plan.images.data_pool,
                                        .run = run_id,
                                        .cache = plan.images.cache}));
  }
  return open(plan, session);
}

Status Images::take_over(const RunPlan& plan, const ClusterSession& session,
                         const std::vector<std::string>& names) {
  m_specs.clear();
  for (const std::string& name : names) m_specs.push_back(cluster::image_spec(name));
  if (auto opened = open(plan, session); !opened || !writes(plan)) return opened;
  // The name alone says nothing: others may have given it to an image of theirs.
  for (const ImageInfo& info : m_infos) {
    if (auto ours = check_made_by_us(plan, info); !ours) return ours;
  }
  return {};
}

std::int64_t Images::data_pool() const {
  return m_infos.empty() ? -1 : m_infos.front().data_pool;
}

Result<ImagesAndPlan> look_at_images(const RunPlan& plan, ClusterSession& session,
                                     const std::string& run_id, workload::Part part) {
  RADOSLOAD_ASSIGN(auto images, Images::inspect(plan, session, run_id, part));
  RADOSLOAD_ASSIGN(auto fitted, fit_to_images(plan, images.shape()));
  if (!images.to_be_made()) {
    RADOSLOAD_TRY(switch_to_pool(session, images.data_pool()));
  }
  return ImagesAndPlan{std::move(images), std::move(fitted)};
}

std::vector<std::string> Images::caveats(const RunPlan& plan) const {
  std::vector<std::string> caveats;
  for (const ImageInfo& info : m_infos) {
    if (plan.pattern.writes_data() && info.caches_writes()) {
      caveats.push_back(fmt::format(
          "writes to image {} were acknowledged by a cache in the client (rbd_cache), not by the "
          "cluster",
          info.spec.text()));
    }
    if (info.mirroring == cluster::Mirroring::primary) {
      caveats.push_back(
          fmt::format("image {} is mirrored: writes also go to another cluster", info.spec.text()));
    }
    std::vector<std::string> overridden = info.overridden;
    // Those we made carry what the run has asked for.
    if (to_be_made()) std::erase(overridden, "rbd_cache");
    if (!overridden.empty()) {
      caveats.push_back(
          fmt::format("image {} or its pool overrides these settings of the client: {}",
                      info.spec.text(), fmt::join(overridden, ", ")));
    }
  }
  return caveats;
}

}  // namespace radosload::prepare
