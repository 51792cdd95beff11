#include "prepare/prepared.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cluster/bounded_call.h"
#include "footprint/file_cleanup.h"
#include "prepare/engine_plan.h"
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

DatasetCache::LayoutOf layout_on_pool(const workload::PoolTraits& traits,
                                      const placement::OsdInventory& inventory) {
  return [traits, inventory](const RunPlan& plan) -> std::optional<DatasetCache::PlannedLayout> {
    const auto osds = pinned_osds(plan.pins, inventory);
    if (!osds) return std::nullopt;
    auto layout = layout_for(plan, traits, *osds);
    if (!layout) return std::nullopt;
    return DatasetCache::PlannedLayout{plan, *std::move(layout)};
  };
}

DatasetCache::LayoutOf layout_on_images(const ImageShape& shape,
                                        const placement::OsdInventory& inventory) {
  return [shape, inventory](const RunPlan& plan) -> std::optional<DatasetCache::PlannedLayout> {
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
  for (std::uint32_t i = 0; i < layout.loads(); ++i) {
    lanes.insert(lanes.end(), handles.begin(), handles.end());
  }
  return lanes;
}

// The run cannot write to a snapshot: its content is taken as it is.
void take_as_it_is(Prepared& prepared) {
  prepared.load.layout.prefill = workload::Prefill::nothing;
  if (prepared.dataset.reused()) return;
  prepared.load.payload.reset();
  prepared.taints.emplace_back(
      "radosload did not write this snapshot: reads are not verified, and holes in it read as "
      "zeros");
}

Prepared on_images(Draft& draft, const ClusterSession& session, Dataset dataset) {
  const RunPlan& plan = draft.plan;
  const Images& images = *draft.images;
  // Clients with a cache each do not see each other's writes at once.
  if (plan.images.cache && plan.clients > 1 && images.names().size() == 1) {
    draft.load.pattern.verify = std::min(draft.load.pattern.verify, Verify::stamp);
  }
  Prepared prepared{
      .plan = plan,
      .load = std::move(draft.load),
      .environment = environment_on(plan, session, images.infos(), draft.locations.get()),
      .taints = images.caveats(plan),
      .dataset = std::move(dataset),
      .lay_out = layout_on_images(images.shape(), session.osds),
      .names = std::move(draft.names),
      .locations = std::move(draft.locations),
      .target = nullptr};
  if (reads_snapshots(plan)) take_as_it_is(prepared);
  prepared.target = std::make_unique<target::RbdTarget>(
      for_each_load(images.lanes(), prepared.load.layout),
      target::RbdTargetOptions{.object_size = plan.pattern.object_size,
                               .objects_per_image = objects_in_each(plan, images),
                               .cache = plan.pattern.cache});
  return prepared;
}

Prepared on_pool(Draft& draft, const ClusterSession& session, Dataset dataset) {
  const RunPlan& plan = draft.plan;
  const workload::Layout& layout = draft.load.layout;
  auto target = std::make_unique<target::RadosTarget>(
      for_each_load(session.lanes, layout),
      target::RadosTargetOptions{.dataset = dataset.name(),
                                 .object_size = layout.object_size,
                                 .omap_value = layout.block,
                                 .traits = session.traits,
                                 .cache = plan.pattern.cache});
  return {.plan = plan,
          .load = std::move(draft.load),
          .environment = environment_on(plan, session, {}, draft.locations.get()),
          .taints = {},
          .dataset = std::move(dataset),
          .lay_out = layout_on_pool(session.traits, session.osds),
          .names = std::move(draft.names),
          .locations = std::move(draft.locations),
          .target = std::move(target)};
}

Prepared on_files(Draft& draft, const ClusterSession& session, Dataset dataset) {
  const RunPlan& plan = draft.plan;
  Files& files = *draft.files;
  auto target = files.target();
  Prepared prepared{.plan = plan,
                    .load = std::move(draft.load),
                    .environment = environment_on(plan, session, {}, draft.locations.get()),
                    .taints = {},
                    .dataset = std::move(dataset),
                    .lay_out = {},
                    .names = std::move(draft.names),
                    .locations = std::move(draft.locations),
                    .target = nullptr};
  prepared.environment.file_system = files.facts(session);
  prepared.environment.client.instances = files.instances();
  if (plan.pattern.reads_cold()) {
    prepared.before_load = files.fresh_clients(plan, session, *target);
  }
  prepared.target = std::move(target);
  return prepared;
}

// What the run works on, noted in the cluster before any of it is made.
Result<Dataset> dataset_for(const Draft& draft, const ClusterSession& session,
                            DatasetCache* cache) {
  const workload::Layout& layout = draft.load.layout;
  if (draft.cached) {
    auto filled = cache->take(draft.dataset);
    RADOSLOAD_TRY(filled->check_held());
    return *std::move(filled);
  }
  if (draft.shared) return Dataset::share(session, *draft.shared);
  if (draft.reused) return Dataset::reuse(draft.plan, session, layout, *draft.reused);
  if (!draft.images) {
    return Dataset::make(draft.plan, session, layout, draft.run_id, {}, draft.picked);
  }
  const std::vector<std::string> names = draft.images->names();
  if (draft.makes_images()) return Dataset::make(draft.plan, session, layout, draft.run_id, names);
  return Dataset::on_existing_images(draft.plan, session, layout, draft.run_id, names,
                                     draft.images->made_by());
}

// Their objects have names now, and so places.
Status make_images(Draft& draft, ClusterSession& session) {
  auto made = draft.images->make(draft.plan, session, draft.run_id, draft.made_object_size);
  if (!made) return made;
  if (auto turned = switch_to_pool(session, draft.images->data_pool()); !turned) return turned;
  draft.picked = {};
  return place_objects(draft, session);
}

Status make_what_is_missing(Draft& draft, ClusterSession& session, base::Interrupts& interrupts,
                            record::ProgressListener& listener) {
  constexpr std::uint64_t soon_made = 2'000;
  if (draft.makes_images()) return make_images(draft, session);
  if (!draft.files) return {};
  if (const std::uint64_t files = draft.files->to_make(); files > soon_made) {
    listener.note(
        fmt::format("makes {} empty files first: an MDS makes some hundred a second", files));
  }
  RADOSLOAD_TRY(draft.files->make(draft.plan, session, interrupts));
  place_files(draft, session);
  return {};
}

}  // namespace

Result<Prepared> commit(Draft draft, ClusterSession& session, DatasetCache* cache,
                        base::Interrupts& interrupts, record::ProgressListener& listener) {
  if (draft.refusal) return fail(*draft.refusal);
  // A user without the rights must not leave a note that it cannot remove.
  if (draft.files) {
    RADOSLOAD_TRY(
        footprint::open_runs_directory(*session.lanes.front().connection, draft.plan.files.system));
  }
  RADOSLOAD_ASSIGN(auto dataset, dataset_for(draft, session, cache));
  if (auto made = make_what_is_missing(draft, session, interrupts, listener); !made) {
    // What has not been answered may still come, and must be found in the manifest then.
    draft.files.reset();
    if (cluster::abandoned_work() > 0) {
      dataset.leave(listener);
    } else {
      dataset.clean_up(false, interrupts, listener);
    }
    return fail(made.error());
  }
  if (draft.images && draft.pinned() && dataset.picked().empty()) {
    dataset.pick(draft.picked.numbers, draft.load.layout.osds);
  }
  draft.load.payload = payload_for(dataset, draft.run_id);
  if (draft.files) return on_files(draft, session, std::move(dataset));
  return draft.images ? on_images(draft, session, std::move(dataset))
                      : on_pool(draft, session, std::move(dataset));
}

}  // namespace radosload::prepare
