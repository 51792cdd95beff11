#include "run/prepared.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "run/images.h"
#include "run/plan_parts.h"
#include "target/rados_target.h"
#include "target/rbd_target.h"
#include "workload/layout.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

ObjectNames names_of_objects(const RunPlan& plan, const RadosPlace& place,
                             const std::string& dataset) {
  ObjectNames names;
  names.pool = librados::IoCtx(place.lanes.front().pool);
  if (plan.pattern.metadata == OpKind::list) return names;
  names.name_of = [dataset](std::uint64_t object) {
    std::string buffer(workload::object_name_size(dataset), '\0');
    return std::string(workload::object_name(buffer, dataset, object));
  };
  return names;
}

ObjectNames names_in_images(const RunPlan& plan, const RadosPlace& place, const Images& images,
                            std::uint64_t objects_per_image) {
  ObjectNames names;
  const std::int64_t pool = images.data_pool();
  auto& connection = *place.lanes.front().connection;
  if (pool < 0 || connection.rados().ioctx_create2(pool, names.pool) < 0) return names;
  names.pool.set_namespace(plan.images.nspace);
  std::vector<std::string> prefixes;
  for (const auto& info : images.infos()) prefixes.push_back(info.block_prefix);
  names.name_of = [prefixes, objects_per_image](std::uint64_t object) {
    return fmt::format("{}.{:016x}", prefixes[object / objects_per_image],
                       object % objects_per_image);
  };
  return names;
}

Result<engine::EnginePlan> load_on(const RunPlan& plan, const Images& images) {
  auto load = engine_plan_for(plan, Images::traits());
  if (load) load->layout.apart = images.apart(plan);
  return load;
}

bool reads_snapshots(const RunPlan& plan) {
  const auto& names = plan.images.names;
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return !cluster::image_spec(name).snapshot.empty();
  });
}

Shelf::LayOut layout_on_pool(const workload::PoolTraits& traits) {
  return [traits](const RunPlan& plan) -> std::optional<Shelf::Laid> {
    const auto layout = workload::lay_out(plan.pattern, traits, plan.clients);
    if (!layout) return std::nullopt;
    return Shelf::Laid{plan, *layout};
  };
}

Shelf::LayOut layout_on_images(const ImageShape& shape) {
  return [shape](const RunPlan& plan) -> std::optional<Shelf::Laid> {
    auto fitted = fit_to_images(plan, shape);
    if (!fitted) return std::nullopt;
    return layout_on_pool(Images::traits())(*fitted);
  };
}

// A snapshot holds what it holds.
void take_as_it_is(Prepared& prepared) {
  prepared.load.layout.prefill = workload::Prefill::nothing;
  if (prepared.dataset.reused()) return;
  prepared.load.payload.reset();
  prepared.taints.emplace_back(
      "what the snapshot holds is not radosload's: reads are not checked, and holes in it read as "
      "fast as zeros");
}

Prepared put_together(const RunPlan& plan, const RadosPlace& place, engine::EnginePlan load,
                      Dataset dataset, const Images& images) {
  load.payload.emplace(dataset.stamp());
  const std::uint64_t per_image = load.layout.objects / images.names().size();
  Prepared prepared{.plan = plan,
                    .load = std::move(load),
                    .environment = environment_json(plan, place, images.infos()),
                    .taints = images.caveats(plan),
                    .dataset = std::move(dataset),
                    .lay_out = layout_on_images(images.shape()),
                    .names = names_in_images(plan, place, images, per_image),
                    .target = nullptr};
  if (reads_snapshots(plan)) take_as_it_is(prepared);
  prepared.target = std::make_unique<target::RbdTarget>(
      images.lanes(), target::RbdTargetOptions{.object_size = plan.pattern.object_size,
                                               .objects_per_image = per_image,
                                               .cache = plan.pattern.cache});
  return prepared;
}

// What an earlier step has filled and left for this one, if there is any.
Result<std::optional<Dataset>> from_shelf(const RunPlan& plan, const workload::Layout& layout,
                                          Shelf* shelf) {
  auto filled = shelf != nullptr ? shelf->take(plan, layout) : std::nullopt;
  if (!filled) return std::optional<Dataset>{};
  if (auto held = filled->check_held(); !held) return fail(held.error());
  return filled;
}

Result<Dataset> objects_for(const RunPlan& plan, const RadosPlace& place,
                            const workload::Layout& layout, const std::string& run_id,
                            Shelf* shelf) {
  auto filled = from_shelf(plan, layout, shelf);
  if (!filled) return fail(filled.error());
  if (*filled) return **std::move(filled);
  return Dataset::make(plan, place, layout, run_id);
}

// Their content; the images are open when this returns.
Result<Dataset> fill_for(Images& images, const RunPlan& plan, const RadosPlace& place,
                         const workload::Layout& layout, const std::string& run_id, Shelf* shelf) {
  auto filled = from_shelf(plan, layout, shelf);
  if (!filled) return fail(filled.error());
  if (*filled) {
    if (!images.to_be_made()) return **std::move(filled);
    auto opened = images.take_over(plan, place, (*filled)->images());
    if (!opened) return fail(opened.error());
    return **std::move(filled);
  }
  if (images.to_be_made()) return Dataset::make(plan, place, layout, run_id, images.names());
  return Dataset::over(plan, place, layout, run_id, images.names(), images.made_by());
}

}  // namespace

Result<Prepared> prepare_objects(const RunPlan& plan, RadosPlace& place, const std::string& run_id,
                                 Shelf* shelf) {
  auto load = engine_plan_for(plan, place.traits);
  if (!load) return fail(load.error());
  auto dataset = objects_for(plan, place, load->layout, run_id, shelf);
  if (!dataset) return fail(dataset.error());
  load->payload.emplace(dataset->stamp());
  auto target = std::make_unique<target::RadosTarget>(
      place.lanes, target::RadosTargetOptions{.dataset = dataset->name(),
                                              .object_size = load->layout.object_size,
                                              .omap_value = load->layout.block,
                                              .traits = place.traits,
                                              .cache = plan.pattern.cache});
  ObjectNames names = names_of_objects(plan, place, dataset->name());
  return Prepared{.plan = plan,
                  .load = *std::move(load),
                  .environment = environment_json(plan, place),
                  .taints = {},
                  .dataset = *std::move(dataset),
                  .lay_out = layout_on_pool(place.traits),
                  .names = std::move(names),
                  .target = std::move(target)};
}

Result<Prepared> prepare_images(const RunPlan& plan, RadosPlace& place, const std::string& run_id,
                                Shelf* shelf, Interrupts& interrupts, Audience& audience) {
  auto found = look_at_images(plan, place, run_id);
  if (!found) return fail(found.error());
  auto& [images, fitted] = *found;
  auto load = load_on(fitted, images);
  if (!load) return fail(load.error());
  auto dataset = fill_for(images, fitted, place, load->layout, run_id, shelf);
  if (!dataset) return fail(dataset.error());
  if (images.lanes().empty()) {
    // As the option has it, whatever fits into an image smaller than one object.
    if (auto made = images.make(fitted, place, run_id, plan.pattern.object_size); !made) {
      dataset->clean_up(false, interrupts, audience);
      return fail(made.error());
    }
  }
  return put_together(fitted, place, *std::move(load), *std::move(dataset), images);
}

}  // namespace radosload::run
