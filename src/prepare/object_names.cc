#include "prepare/object_names.h"

#include <utility>

#include <fmt/format.h>

namespace radosload::prepare {

namespace {

constexpr std::uint64_t objects_without_end = 0;

// The number of the data object in which a stripe unit lies; without striping, the two are one.
std::uint64_t data_object(const cluster::ImageInfo& image, std::uint64_t unit) {
  unit += image.data_offset.count / image.stripe_unit.count;
  const std::uint64_t units_in_object = image.object_size.count / image.stripe_unit.count;
  const std::uint64_t stripe = unit / image.stripe_count;
  return stripe / units_in_object * image.stripe_count + unit % image.stripe_count;
}

}  // namespace

void put_in_pool(ObjectNaming& names, const librados::IoCtx& pool) {
  librados::IoCtx asked(pool);
  names.pool = asked.get_id();
  names.nspace = asked.get_namespace();
  names.pg_of = [asked](const std::string& name) mutable -> std::optional<std::uint32_t> {
    std::uint32_t pg = no_pg;
    if (asked.get_object_pg_hash_position2(name, &pg) < 0) return std::nullopt;
    return pg;
  };
}

ObjectNaming names_of_objects(const RunPlan& plan, const ClusterSession& session,
                              const std::string& dataset) {
  ObjectNaming names;
  if (const auto& pool = session.lanes.front().pool; pool.is_valid()) put_in_pool(names, pool);
  if (plan.pattern.metadata == OpKind::list) return names;
  names.name_of = [dataset](std::uint64_t object) {
    std::string buffer(workload::object_name_size(dataset), '\0');
    return std::string(workload::object_name(buffer, dataset, object));
  };
  names.prefixes = {fmt::format("{}{}.", workload::object_name_prefix, dataset)};
  return names;
}

std::optional<librados::IoCtx> pool_of_data(const RunPlan& plan, const ClusterSession& session,
                                            std::int64_t id) {
  const auto& connection = session.lanes.front().connection;
  librados::IoCtx pool;
  if (!connection || id < 0 || connection->rados().ioctx_create2(id, pool) < 0) return std::nullopt;
  pool.set_namespace(plan.images.nspace);
  return pool;
}

ObjectNaming names_in_images(const RunPlan& plan, const ClusterSession& session,
                             const Images& images) {
  ObjectNaming names;
  const auto pool = pool_of_data(plan, session, images.data_pool());
  if (!pool) return names;
  put_in_pool(names, *pool);
  std::vector<std::string> prefixes;
  for (const auto& info : images.infos()) prefixes.push_back(info.block_prefix);
  for (const std::string& prefix : prefixes) names.prefixes.push_back(prefix + ".");
  const cluster::ImageInfo first = images.infos().front();
  const std::uint64_t objects_per_image = objects_in_each(plan, images);
  // What is inside an encrypted image need not begin where an object does.
  if (first.data_offset.count % first.stripe_unit.count != 0) return names;
  names.name_of = [prefixes, objects_per_image, first](std::uint64_t object) {
    // Data from elsewhere may name any object.
    if (object / objects_per_image >= prefixes.size()) return fmt::format("object {}", object);
    return fmt::format("{}.{:016x}", prefixes[object / objects_per_image],
                       data_object(first, object % objects_per_image));
  };
  return names;
}

// Objects of each image that a run may use: those of its working set, or, pinned, all there are.
std::uint64_t objects_in_each(const RunPlan& plan, const Images& images) {
  const std::uint64_t object = plan.pattern.object_size.count;
  if (plan.pins.any()) return images.shape().size.count / object;
  return plan.pattern.working_set.count / object / images.names().size();
}

Result<Picked> pick_in_images(const RunPlan& plan, const ClusterSession& session,
                              const Images& images, const ObjectNaming& names,
                              const workload::Layout& layout) {
  const std::uint64_t candidates = objects_in_each(plan, images) * images.names().size();
  return pick_objects(plan, session, layout, names, candidates);
}

Result<Picked> pick_in_pool(const RunPlan& plan, const ClusterSession& session,
                            const workload::Layout& layout, const std::string& run_id) {
  return pick_objects(plan, session, layout, names_of_objects(plan, session, run_id),
                      objects_without_end);
}

}  // namespace radosload::prepare
