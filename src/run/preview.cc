#include "run/preview.h"

#include <utility>

#include "observe/cluster_status.h"
#include "run/dataset.h"
#include "run/images.h"
#include "run/inactive_pgs.h"
#include "run/plan_parts.h"
#include "run/rados_place.h"
#include "workload/stream.h"

namespace radosload::run {

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

Result<Preview> preview_of(const RunPlan& plan, const Keeping& keeping,
                           const workload::PoolTraits& traits, const std::string& environment,
                           const std::vector<std::int32_t>& osds = {}) {
  auto load = engine_plan_for(plan, traits, osds);
  if (!load) return fail(load.error());
  auto header = header_for(plan, keeping, "", environment);
  if (!header) return fail(header.error());
  Preview preview;
  preview.header = *std::move(header);
  preview.layout = load->layout;
  preview.operations = first_operations(plan, load->layout);
  return preview;
}

void refuse(Preview& preview, const Status& status) {
  if (!status && !preview.refusal) preview.refusal = status.error();
}

Status add_objects(Preview& preview, const RunPlan& plan, const RadosPlace& place) {
  if (!plan.reuse.empty()) {
    const auto found = find_reusable(plan, place, preview.layout);
    if (found) {
      preview.reused = found->run;
    } else if (found.error().exit == Exit::refused) {
      preview.refusal = found.error();
    } else {
      return fail(found.error());
    }
    return {};
  }
  preview.space = plan_space(plan, place, preview.layout);
  refuse(preview, placement::check_space(*preview.space));
  return {};
}

// What the run would go to: the plan as that has it, and what a layout may rely on.
struct Ground {
  RunPlan plan;
  workload::PoolTraits traits;
  std::vector<cluster::ImageInfo> images = {};
};

Result<Ground> ground_of(const RunPlan& plan, RadosPlace& place) {
  if (plan.target != TargetKind::rbd) return Ground{plan, place.traits};
  auto found = look_at_images(plan, place, "RUN");
  if (!found) return fail(found.error());
  return Ground{std::move(found->plan), Images::traits(), found->images.infos()};
}

Result<Preview> preview_on_cluster(const RunPlan& plan, const Keeping& keeping) {
  auto place = go_there(plan);
  if (!place) return fail(place.error());
  const auto ground = ground_of(plan, *place);
  if (!ground) return fail(ground.error());
  auto preview = preview_of(ground->plan, keeping, ground->traits,
                            environment_json(plan, *place, ground->images), place->pinned);
  if (!preview) return preview;
  refuse(*preview, check_health(plan, *place));
  refuse(*preview, check_pgs(plan, *place));
  for (const auto& distortion : observe::distortions(place->status)) {
    preview->warnings.push_back(distortion.what);
  }
  if (auto added = add_objects(*preview, ground->plan, *place); !added) return fail(added.error());
  return preview;
}

}  // namespace

Result<Preview> preview(const RunPlan& given, const Keeping& keeping) {
  RunPlan plan = given;
  if (plan.seed == 0) plan.seed = drawn_seed();
  if (needs_cluster(plan.target)) return preview_on_cluster(plan, keeping);
  if (const auto model = sim_model_for(plan); !model) return fail(model.error());
  return preview_of(plan, keeping, workload::PoolTraits{.flush = true}, environment_json(plan));
}

}  // namespace radosload::run
