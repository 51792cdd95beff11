#include "run/rados_run.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "run/dataset.h"
#include "run/health_guard.h"
#include "run/inactive_pgs.h"
#include "run/measure.h"
#include "run/plan_parts.h"
#include "run/rados_place.h"
#include "run/real_stage.h"
#include "run/recording.h"
#include "run/shelf.h"
#include "run/whereabouts.h"
#include "target/pool_traits.h"
#include "target/rados_target.h"

#include <fmt/format.h>

namespace radosload::run {

namespace {

// What a question about the cluster's health may take before a run is told that nobody answers.
constexpr Time guard_patience = std::chrono::seconds(5);

std::unique_ptr<target::RadosTarget> make_target(const RunPlan& plan, const RadosPlace& place,
                                                 const workload::Layout& layout,
                                                 const std::string& dataset) {
  return std::make_unique<target::RadosTarget>(
      place.lanes, target::RadosTargetOptions{.dataset = dataset,
                                              .object_size = layout.object_size,
                                              .omap_value = layout.block,
                                              .traits = place.traits,
                                              .cache = plan.pattern.cache});
}

// What every pass of the run goes through.
struct Through {
  Target& target;
  const Whereabouts& whereabouts;
  HealthGuard& guard;
  Interrupts& interrupts;
  Audience& audience;

  Result<PassEnd> run(Pass pass, const RunPlan& plan) const {
    pass.whereabouts = std::cref(whereabouts);
    pass.health = [this](Time now) { return guard.look(now); };
    pass.push_through = plan.push_through;
    return run_real_pass(std::move(pass), target, plan.clients, interrupts, audience);
  }
};

Status write_objects(const RunPlan& plan, const engine::EnginePlan& load, const Through& through) {
  if (load.layout.prefill == workload::Prefill::nothing) return {};
  Pass pass{.plan = prefill_plan_for(plan, load),
            .name = "prefill",
            .total_bytes = load.layout.prefill_bytes().count};
  auto ended = through.run(std::move(pass), plan);
  if (!ended) return fail(ended.error());
  const std::uint64_t lost = ended->measured.failed + ended->measured.cancelled;
  if (through.interrupts.count() > 0) {
    return fail({.attempt = "finish writing the objects to read",
                 .reason = fmt::format("{}; nothing was measured", through.interrupts.name()),
                 .exit = Exit::interrupted});
  }
  if (ended->end.ended_by == "health") {
    return fail({.attempt = "write the objects to read",
                 .subject = fmt::format("in pool {}", plan.pool),
                 .reason = ended->alarm + "; nothing was measured",
                 .hint = "--push-through goes on regardless",
                 .exit = Exit::refused});
  }
  if (ended->end.ended_by == "stalled") {
    return fail({.attempt = "write the objects to read",
                 .subject = fmt::format("in pool {}", plan.pool),
                 .reason = fmt::format("no write has come back for {}", human_text(load.stall)),
                 .hint = "'ceph health detail' tells which OSDs or placement groups are missing",
                 .exit = Exit::no_cluster});
  }
  if (lost == 0) return {};
  const record::Cell all = record::total_of(ended->total.kinds);
  return fail({.attempt = "write the objects to read",
               .subject = fmt::format("in pool {}", plan.pool),
               .reason = fmt::format("{} of {} writes failed, most of them with {}", lost,
                                     ended->measured.submitted,
                                     all.errors.empty() ? "a cancel" : rc_name(all.errors[0].rc)),
               .exit = Exit::no_cluster});
}

// Empties what the OSDs hold in RAM, so that the first reads come from disks.
Status drop_caches(const RunPlan& plan, RadosPlace& place) {
  if (plan.pattern.cache != CacheMode::drop) return {};
  for (const std::int32_t osd : place.status.osd_ids) {
    const auto dropped = place.admin->osd(osd, R"({"prefix": "cache drop"})");
    if (!dropped) return fail(dropped.error());
  }
  return {};
}

// What the run works on: what an earlier step has filled, or objects of its own.
Result<Dataset> objects_for(const RunPlan& plan, const RadosPlace& place,
                            const workload::Layout& layout, const std::string& run_id,
                            Shelf* shelf) {
  auto filled = shelf != nullptr ? shelf->take(plan, layout) : std::nullopt;
  if (!filled) return Dataset::make(plan, place, layout, run_id);
  if (auto held = filled->check_held(); !held) return fail(held.error());
  return *std::move(filled);
}

Result<RunResult> measure(const RunPlan& plan, engine::EnginePlan load, RadosPlace& place,
                          const Through& through, Recording& recording) {
  if (auto dropped = drop_caches(plan, place); !dropped) return fail(dropped.error());
  for (const auto& distortion : observe::distortions(place.status)) {
    recording.warn(distortion.what);
  }
  Pass pass{.plan = std::move(load), .name = "measure"};
  recording.follow(pass);
  auto end = through.run(std::move(pass), plan);
  if (!end) return fail(end.error());
  const target::RadosLane& lane = place.lanes.front();
  if (end->end.ended_by == "errors" &&
      target::pool_is_gone(*lane.connection, librados::IoCtx(lane.pool).get_id())) {
    recording.warn(fmt::format("pool {} was deleted while the run measured it", plan.pool));
  }
  return recording.finish(*end);
}

}  // namespace

Result<RunResult> execute_on_cluster(const RunPlan& plan, const std::string& run_id,
                                     const Keeping& keeping, Interrupts& interrupts,
                                     Audience& audience, Shelf* shelf) {
  auto place = go_there(plan);
  if (!place) return fail(place.error());
  if (auto healthy = check_health(plan, *place); !healthy) return fail(healthy.error());
  if (auto awake = await_pgs(plan, *place, interrupts, audience); !awake) {
    return fail(awake.error());
  }
  auto load = engine_plan_for(plan, place->traits);
  if (!load) return fail(load.error());
  auto header = header_for(plan, keeping, run_id, environment_json(plan, *place));
  if (!header) return fail(header.error());
  auto dataset = objects_for(plan, *place, load->layout, run_id, shelf);
  if (!dataset) return fail(dataset.error());
  load->payload.emplace(dataset->stamp());
  const auto target = make_target(plan, *place, load->layout, dataset->name());
  const Whereabouts whereabouts(*place, plan.pattern, dataset->name());
  HealthGuard guard(place->admin->within(guard_patience),
                    observe::HealthWatch(place->status.checks, plan.pool));
  const Through through{*target, whereabouts, guard, interrupts, audience};

  const workload::Layout layout = load->layout;
  auto result = [&]() -> Result<RunResult> {
    if (!dataset->ready()) {
      auto written = write_objects(plan, *load, through);
      if (written) written = dataset->mark_ready();
      if (!written) return fail(written.error());
    }
    Recording recording(*std::move(header), keeping, audience);
    return measure(plan, *std::move(load), *place, through, recording);
  }();
  // Operations that never came back may still write: what they write to is better left findable.
  if (abandoned_passes() > 0) return result;
  if (shelf != nullptr) {
    shelf->put(*std::move(dataset), plan, layout, place->traits, interrupts, audience);
  } else {
    dataset->clean_up(plan.keep, interrupts, audience);
  }
  return result;
}

}  // namespace radosload::run
