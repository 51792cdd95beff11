#include "prepare/prepared.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cluster/bounded_call.h"
#include "prepare/engine_plan.h"
#include "prepare/images.h"
#include "prepare/object_names.h"
#include "prepare/pinning.h"
#include "target/rados_target.h"
#include "target/rbd_target.h"
#include "workload/layout.h"
#include "workload/payload.h"

#include <fmt/format.h>

namespace radosload::prepare {

namespace {

bool reads_snapshots(const RunPlan& plan) {
  const auto& names = plan.images.names;
  return std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return !cluster::image_spec(name).snapshot.empty();
  });
}

DatasetCache::LayOut layout_on_pool(const workload::PoolTraits& traits,
                                    const placement::OsdInventory& inventory) {
  return [traits, inventory](const RunPlan& plan) -> std::optional<DatasetCache::Laid> {
    const auto osds = pinned_osds(plan.pins, inventory);
    if (!osds) return std::nullopt;
    auto layout = layout_for(plan, traits, *osds);
    if (!layout) return std::nullopt;
    return DatasetCache::Laid{plan, *std::move(layout)};
  };
}

DatasetCache::LayOut layout_on_images(const ImageShape& shape,
                                      const placement::OsdInventory& inventory) {
  return [shape, inventory](const RunPlan& plan) -> std::optional<DatasetCache::Laid> {
    auto fitted = fit_to_images(plan, shape);
    if (!fitted) return std::nullopt;
    return layout_on_pool(Images::traits(), inventory)(*fitted);
  };
}

// Others may have written to objects that are used again: runs before this one, or beside it.
workload::Payload payload_for(const Dataset& dataset, const std::string& run_id) {
  return workload::Payload(dataset.stamp(), {.id = workload::stamp_id(run_id),
                                             .others_before = dataset.name() != run_id});
}

// One for each lane of the load: those of an OSD beside each other, over all handles.
template <typename Lane>
std::vector<Lane> for_each_load(const std::vector<Lane>& handles, const workload::Layout& layout) {
  std::vector<Lane> lanes;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, layout.osds.size()); ++i) {
    lanes.insert(lanes.end(), handles.begin(), handles.end());
  }
  return lanes;
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

// The data objects of images that the pinned OSDs serve; the load gets so many.
Status pick_objects_of(const RunPlan& plan, const ClusterSession& place, const Images& images,
                       const ObjectNaming& names, engine::EnginePlan& load, Dataset& dataset) {
  if (load.layout.osds.empty()) return {};
  if (!dataset.picked().empty()) {
    load.layout.objects = dataset.picked().size();
    return {};
  }
  auto picked = pick_in_images(plan, place, images, names, load.layout);
  if (!picked) return fail(picked.error());
  load.layout.objects = picked->numbers.size();
  dataset.pick(std::move(picked->numbers), load.layout.osds);
  return {};
}

Prepared put_together(const RunPlan& plan, const ClusterSession& place, engine::EnginePlan load,
                      Dataset dataset, const Images& images, ObjectNaming names,
                      std::shared_ptr<ObjectPlacement> homes, const std::string& run_id) {
  load.payload = payload_for(dataset, run_id);
  // Clients with a cache each do not see each other's writes at once.
  if (plan.images.cache && plan.clients > 1 && images.names().size() == 1) {
    load.pattern.verify = std::min(load.pattern.verify, Verify::stamp);
  }
  Prepared prepared{.plan = plan,
                    .load = std::move(load),
                    .environment = environment_json(plan, place, images.infos(), homes.get()),
                    .taints = images.caveats(plan),
                    .dataset = std::move(dataset),
                    .lay_out = layout_on_images(images.shape(), place.osds),
                    .names = std::move(names),
                    .homes = std::move(homes),
                    .target = nullptr};
  if (reads_snapshots(plan)) take_as_it_is(prepared);
  prepared.target = std::make_unique<target::RbdTarget>(
      for_each_load(images.lanes(), prepared.load.layout),
      target::RbdTargetOptions{.object_size = plan.pattern.object_size,
                               .objects_per_image = objects_in_each(plan, images),
                               .cache = plan.pattern.cache});
  return prepared;
}

// What an earlier step has filled and left for this one, if there is any.
Result<std::optional<Dataset>> from_shelf(const RunPlan& plan, const workload::Layout& layout,
                                          DatasetCache* shelf) {
  auto filled = shelf != nullptr ? shelf->take(plan, layout) : std::nullopt;
  if (!filled) return std::optional<Dataset>{};
  if (auto held = filled->check_held(); !held) return fail(held.error());
  return filled;
}

Result<Dataset> objects_for(const RunPlan& plan, const ClusterSession& place,
                            const workload::Layout& layout, const std::string& run_id,
                            DatasetCache* shelf) {
  auto filled = from_shelf(plan, layout, shelf);
  if (!filled) return fail(filled.error());
  if (*filled) return **std::move(filled);
  if (layout.osds.empty() || !plan.reuse.empty()) return Dataset::make(plan, place, layout, run_id);
  const auto picked = pick_in_pool(plan, place, layout, run_id);
  if (!picked) return fail(picked.error());
  return Dataset::make(plan, place, layout, run_id, {}, *picked);
}

// Tells every operation where its object lies.
Result<std::shared_ptr<ObjectPlacement>> settle(engine::EnginePlan& load,
                                                const ClusterSession& place,
                                                const ObjectNaming& names, const Dataset& dataset) {
  auto homes = homes_of(place, load.layout, names, dataset.picked());
  load.layout.homes = homes;
  if (load.layout.osds.empty()) return homes;
  if (!homes) return fail(unseen_pgs(place));
  if (auto there = check_still_there(place, load.layout, *homes); !there)
    return fail(there.error());
  return homes;
}

// Their content; the images are open when this returns.
Result<Dataset> fill_for(Images& images, const RunPlan& plan, const ClusterSession& place,
                         const workload::Layout& layout, const std::string& run_id,
                         DatasetCache* shelf) {
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

Result<Prepared> prepare_objects(const RunPlan& plan, ClusterSession& place,
                                 const std::string& run_id, DatasetCache* shelf,
                                 base::Interrupts& interrupts, record::ProgressListener& audience) {
  auto load = engine_plan_for(plan, place.traits, place.pinned);
  if (!load) return fail(load.error());
  auto dataset = objects_for(plan, place, load->layout, run_id, shelf);
  if (!dataset) return fail(dataset.error());
  load->payload = payload_for(*dataset, run_id);
  ObjectNaming names = names_of_objects(plan, place, dataset->name());
  auto homes = settle(*load, place, names, *dataset);
  if (!homes) {
    dataset->clean_up(false, interrupts, audience);
    return fail(homes.error());
  }
  auto target = std::make_unique<target::RadosTarget>(
      for_each_load(place.lanes, load->layout),
      target::RadosTargetOptions{.dataset = dataset->name(),
                                 .object_size = load->layout.object_size,
                                 .omap_value = load->layout.block,
                                 .traits = place.traits,
                                 .cache = plan.pattern.cache});
  return Prepared{.plan = plan,
                  .load = *std::move(load),
                  .environment = environment_json(plan, place, {}, homes->get()),
                  .taints = {},
                  .dataset = *std::move(dataset),
                  .lay_out = layout_on_pool(place.traits, place.osds),
                  .names = std::move(names),
                  .homes = *std::move(homes),
                  .target = std::move(target)};
}

Result<Prepared> prepare_images(const RunPlan& plan, ClusterSession& place,
                                const std::string& run_id, DatasetCache* shelf,
                                base::Interrupts& interrupts, record::ProgressListener& audience) {
  auto found = look_at_images(plan, place, run_id);
  if (!found) return fail(found.error());
  auto& [images, fitted] = *found;
  auto load = engine_plan_for(fitted, Images::traits(), place.pinned);
  if (!load) return fail(load.error());
  auto dataset = fill_for(images, fitted, place, load->layout, run_id, shelf);
  if (!dataset) return fail(dataset.error());
  const auto give_up = [&](const Error& error) {
    // An image that has not come in time may come yet, and must be found in the manifest then.
    if (cluster::abandoned_work() > 0) {
      dataset->leave(audience);
    } else {
      dataset->clean_up(false, interrupts, audience);
    }
    return fail(error);
  };
  if (images.lanes().empty()) {
    // As the option has it, whatever fits into an image smaller than one object.
    auto made = images.make(fitted, place, run_id, plan.pattern.object_size);
    if (!made) return give_up(made.error());
    if (auto turned = switch_to_pool(place, images.data_pool()); !turned) {
      return give_up(turned.error());
    }
  }
  ObjectNaming names = names_in_images(fitted, place, images);
  if (auto picked = pick_objects_of(fitted, place, images, names, *load, *dataset); !picked) {
    return give_up(picked.error());
  }
  auto homes = settle(*load, place, names, *dataset);
  if (!homes) return give_up(homes.error());
  return put_together(fitted, place, *std::move(load), *std::move(dataset), images,
                      std::move(names), *std::move(homes), run_id);
}

}  // namespace radosload::prepare
