#include "prepare/preview.h"

#include <chrono>
#include <set>
#include <utility>

#include "observe/cluster_status.h"
#include "prepare/cluster_session.h"
#include "prepare/draft.h"
#include "prepare/drive.h"
#include "prepare/engine_plan.h"
#include "record/store.h"
#include "workload/stream.h"

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

Preview preview_of(const RunPlan& plan, const std::string& program, workload::Layout layout,
                   record::Environment environment) {
  Preview preview;
  preview.header = header_for(plan, program, "", std::move(environment));
  preview.layout = std::move(layout);
  preview.operations = first_operations(plan, preview.layout);
  return preview;
}

std::vector<PlannedOsd> planned_osds(const workload::Layout& layout,
                                     const ObjectPlacement& locations) {
  std::vector<PlannedOsd> osds;
  osds.reserve(layout.osds.size());
  const std::uint64_t each = locations.size() / layout.osds.size();
  for (std::size_t i = 0; i < layout.osds.size(); ++i) {
    const auto mine = locations.pgs().subspan(i * each, each);
    const std::set<std::uint32_t> pgs(mine.begin(), mine.end());
    osds.push_back({.osd = layout.osds[i], .objects = each, .pgs = pgs.size()});
  }
  return osds;
}

Result<Preview> preview_on_cluster(const RunPlan& given, const std::string& program) {
  RADOSLOAD_ASSIGN(const RunPlan plan, with_data_pool(given));
  RADOSLOAD_ASSIGN(auto session, open_session(plan));
  // Objects are picked by their names, and those of a run begin with its id.
  RADOSLOAD_ASSIGN(
      auto draft,
      inspect(plan, session, record::make_run_id(std::chrono::system_clock::now(), plan.seed)));
  const auto infos = draft.images ? draft.images->infos() : std::vector<cluster::ImageInfo>();
  auto preview = preview_of(draft.plan, program, draft.load.layout,
                            environment_on(plan, session, infos, draft.locations.get()));
  for (const auto& distortion : observe::distortions(session.status)) {
    preview.warnings.push_back(distortion.what);
  }
  if (draft.locations && draft.pinned()) {
    preview.osds = planned_osds(preview.layout, *draft.locations);
  }
  if (draft.reused) preview.reused = draft.reused->run;
  preview.space = std::move(draft.space);
  preview.refusal = std::move(draft.refusal);
  return preview;
}

Result<Preview> preview_on_drive(const RunPlan& plan, const std::string& program) {
  RADOSLOAD_ASSIGN(auto draft, inspect_drive(plan));
  record::Environment environment = environment_without_cluster(draft.plan);
  environment.drive = drive_facts(draft);
  auto preview = preview_of(draft.plan, program, draft.load.layout, std::move(environment));
  preview.warnings = std::move(draft.notes);
  for (std::string& taint : draft.taints) preview.warnings.push_back(std::move(taint));
  preview.refusal = std::move(draft.refusal);
  return preview;
}

}  // namespace

Result<Preview> preview(const RunPlan& given, const std::string& program) {
  RunPlan plan = given;
  if (plan.seed == 0) plan.seed = drawn_seed();
  if (needs_cluster(plan.target)) return preview_on_cluster(plan, program);
  if (plan.target == TargetKind::block) return preview_on_drive(plan, program);
  RADOSLOAD_TRY(sim_model_for(plan));
  RADOSLOAD_ASSIGN(auto load, engine_plan_for(plan, workload::PoolTraits{.flush = true}));
  return preview_of(plan, program, std::move(load.layout), environment_without_cluster(plan));
}

}  // namespace radosload::prepare
