#include "prepare/preview.h"

#include <chrono>
#include <memory>
#include <set>
#include <utility>

#include "footprint/manifest.h"
#include "observe/cluster_status.h"
#include "prepare/cluster_session.h"
#include "prepare/dataset.h"
#include "prepare/engine_plan.h"
#include "prepare/images.h"
#include "prepare/inactive_pgs.h"
#include "prepare/object_names.h"
#include "prepare/pinning.h"
#include "record/store.h"
#include "workload/stream.h"

#include <fmt/format.h>

namespace radosload::prepare {

namespace {

// Enough to see the mix of kinds and the way through the objects, few enough for a screen.
constexpr std::size_t operations_shown = 10;

std::vector<PlannedOperation> first_operations(const RunPlan& plan,
                                               const workload::Layout& layout) {
  std::vector<workload::Stream> lanes;
  const std::uint32_t all = lanes_of(plan, layout);
  for (std::uint32_t lane = 0; lane < all && lane < operations_shown; ++lane) {
    lanes.emplace_back(plan.pattern, layout, plan.seed, lane, all);
  }
  std::vector<PlannedOperation> operations;
  bool any = true;
  while (any && operations.size() < operations_shown) {
    any = false;
    for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
      if (lanes[lane].exhausted() || operations.size() == operations_shown) continue;
      operations.push_back({.lane = lane, .op = lanes[lane].next()});
      any = true;
    }
  }
  return operations;
}

Result<Preview> preview_of(const RunPlan& plan, const std::string& program, workload::Layout layout,
                           const std::string& environment) {
  auto header = header_for(plan, program, "", environment);
  if (!header) return fail(header.error());
  Preview preview;
  preview.header = *std::move(header);
  preview.layout = std::move(layout);
  preview.operations = first_operations(plan, preview.layout);
  return preview;
}

// What the run would go to: the plan as that has it, and what a layout may rely on.
struct Ground {
  RunPlan plan;
  workload::PoolTraits traits;
  std::optional<Images> images = {};
};

Result<Ground> ground_of(const RunPlan& plan, ClusterSession& place) {
  if (plan.target != TargetKind::rbd) return Ground{plan, place.traits};
  auto found = look_at_images(plan, place, "RUN");
  if (!found) return fail(found.error());
  return Ground{std::move(found->plan), Images::traits(), std::move(found->images)};
}

// The objects of a run, found as the run would find them.
struct Objects {
  ObjectNaming names;
  Picked picked;  // of a pinned run
  std::shared_ptr<ObjectPlacement> homes;
};

// Images that are not made yet have no names for their objects. Others do: as many will lie on each
// OSD, give or take what chance makes of it.
ObjectNaming names_to_be(const RunPlan& plan, const ClusterSession& place, const Ground& ground) {
  ObjectNaming names = names_of_objects(plan, place, "RUN");
  auto& connection = *place.lanes.front().connection;
  if (connection.rados().ioctx_create2(place.space.pool.id, names.pool) < 0) return {};
  names.pool.set_namespace(plan.images.nspace);
  names.name_of = [each = objects_in_each(plan, *ground.images)](std::uint64_t object) {
    return fmt::format("rbd_data.{}.{:016x}", object / each, object % each);
  };
  return names;
}

ObjectNaming names_on(const Ground& ground, const ClusterSession& place,
                      const std::string& dataset) {
  const RunPlan& plan = ground.plan;
  if (!ground.images) return names_of_objects(plan, place, dataset);
  if (ground.images->to_be_made()) return names_to_be(plan, place, ground);
  return names_in_images(plan, place, *ground.images);
}

// Nothing for a run that is not pinned: where its objects lie is seen as it goes. `reused`: an
// earlier run's, which has picked already.
Result<Objects> objects_on(const Ground& ground, const ClusterSession& place,
                           const workload::Layout& layout,
                           const std::optional<footprint::Manifest>& reused) {
  if (layout.osds.empty()) return Objects{};
  // A name like the run's own will be.
  const std::string dataset =
      reused ? reused->run
             : record::make_run_id(std::chrono::system_clock::now(), ground.plan.seed);
  Objects objects;
  objects.names = names_on(ground, place, dataset);
  if (reused) {
    objects.picked.numbers = reused->picked;
  } else {
    auto picked = ground.images
                      ? pick_in_images(ground.plan, place, *ground.images, objects.names, layout)
                      : pick_in_pool(ground.plan, place, layout, dataset);
    if (!picked) return fail(picked.error());
    objects.picked = *std::move(picked);
  }
  workload::Layout wanted = layout;
  if (!objects.picked.numbers.empty()) wanted.objects = objects.picked.numbers.size();
  objects.homes = homes_of(place, wanted, objects.names, objects.picked.numbers);
  if (!objects.homes) return fail(unseen_pgs(place));
  if (auto there = check_still_there(place, wanted, *objects.homes); !there) {
    return fail(there.error());
  }
  return objects;
}

std::vector<PlannedOsd> planned_osds(const workload::Layout& layout, const ObjectPlacement& homes) {
  std::vector<PlannedOsd> osds;
  osds.reserve(layout.osds.size());
  const std::uint64_t each = homes.size() / layout.osds.size();
  for (std::size_t i = 0; i < layout.osds.size(); ++i) {
    const auto mine = homes.pgs().subspan(i * each, each);
    const std::set<std::uint32_t> pgs(mine.begin(), mine.end());
    osds.push_back({.osd = layout.osds[i], .objects = each, .pgs = pgs.size()});
  }
  return osds;
}

// What the run would find, in the order in which it would find it, and the first thing that it
// would be refused for. What is no refusal leaves nothing to be shown.
struct Findings {
  std::optional<footprint::Manifest> reused;
  Objects objects;
  std::optional<placement::SpacePlan> space;
  std::optional<Error> refusal;

  void take(const Status& status) {
    if (!status && !refusal) refusal = status.error();
  }
  template <typename Value, typename Into>
  Status take(Result<Value> found, Into& into) {
    if (found) {
      into = *std::move(found);
    } else if (found.error().exit == Exit::refused) {
      take(Status(fail(found.error())));
    } else {
      return fail(found.error());
    }
    return {};
  }
};

Result<Findings> look_around(const RunPlan& plan, const Ground& ground, const ClusterSession& place,
                             const workload::Layout& layout) {
  Findings findings;
  findings.take(check_health(plan, place));
  findings.take(check_pgs(plan, place));
  const bool reuses = !plan.reuse.empty();
  if (reuses) {
    if (auto taken = findings.take(find_reusable(ground.plan, place, layout), findings.reused);
        !taken) {
      return fail(taken.error());
    }
  }
  if (!reuses || findings.reused) {
    auto objects = objects_on(ground, place, layout, findings.reused);
    if (auto taken = findings.take(std::move(objects), findings.objects); !taken) {
      return fail(taken.error());
    }
  }
  if (!reuses) {
    findings.space = plan_space(ground.plan, place, layout, findings.objects.picked.pgs);
    findings.take(placement::check_space(*findings.space));
  }
  return findings;
}

Result<Preview> preview_on_cluster(const RunPlan& plan, const std::string& program) {
  auto place = open_session(plan);
  if (!place) return fail(place.error());
  const auto ground = ground_of(plan, *place);
  if (!ground) return fail(ground.error());
  auto load = engine_plan_for(ground->plan, ground->traits, place->pinned);
  if (!load) return fail(load.error());
  workload::Layout layout = std::move(load->layout);
  auto findings = look_around(plan, *ground, *place, layout);
  if (!findings) return fail(findings.error());
  const Objects& objects = findings->objects;
  layout.homes = objects.homes;
  if (!objects.picked.numbers.empty()) layout.objects = objects.picked.numbers.size();
  const auto infos = ground->images ? ground->images->infos() : std::vector<cluster::ImageInfo>();
  auto preview = preview_of(ground->plan, program, std::move(layout),
                            environment_json(plan, *place, infos, objects.homes.get()));
  if (!preview) return preview;
  for (const auto& distortion : observe::distortions(place->status)) {
    preview->warnings.push_back(distortion.what);
  }
  if (objects.homes && !place->pinned.empty()) {
    preview->osds = planned_osds(preview->layout, *objects.homes);
  }
  if (findings->reused) preview->reused = findings->reused->run;
  preview->space = std::move(findings->space);
  preview->refusal = std::move(findings->refusal);
  return preview;
}

}  // namespace

Result<Preview> preview(const RunPlan& given, const std::string& program) {
  RunPlan plan = given;
  if (plan.seed == 0) plan.seed = drawn_seed();
  if (needs_cluster(plan.target)) return preview_on_cluster(plan, program);
  if (const auto model = sim_model_for(plan); !model) return fail(model.error());
  auto load = engine_plan_for(plan, workload::PoolTraits{.flush = true});
  if (!load) return fail(load.error());
  return preview_of(plan, program, std::move(load->layout), environment_json(plan));
}

}  // namespace radosload::prepare
