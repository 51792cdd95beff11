#include "prepare/engine_plan.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

#include "prepare/image_shape.h"
#include "record/store.h"
#include "target/null_target.h"
#include "workload/arrival.h"

#include <fmt/format.h>

namespace radosload::prepare {

namespace {

// A lane for each client on each of the OSDs.
Status check_lanes(const RunPlan& plan, std::size_t osds, std::uint32_t processes) {
  const std::uint64_t lanes =
      std::uint64_t{plan.clients} * std::max<std::size_t>(1, osds) * processes;
  if (lanes <= plan::max_lanes) return {};
  return fail(
      {.attempt = "plan the run",
       .subject = fmt::format("with {} clients on {} OSDs", plan.clients, osds),
       .reason = fmt::format("each client loads each OSD, which needs {} lanes; the limit is {}",
                             lanes, plan::max_lanes),
       .hint = "lower --clients, or name fewer OSDs with --osd",
       .exit = Exit::usage});
}

// The depth is that of each OSD.
Status check_depth(const RunPlan& plan, std::size_t osds) {
  const std::uint64_t depth = std::uint64_t{plan.pattern.queue_depth} * osds;
  if (depth <= plan::most_in_flight) return {};
  return fail(
      {.attempt = "plan the run",
       .subject = fmt::format("with qd={} on {} OSDs", plan.pattern.queue_depth, osds),
       .reason = fmt::format(
           "the queue depth is per OSD, which makes {} operations in flight; the limit is {}",
           depth, plan::most_in_flight),
       .hint = "lower --qd, or name fewer OSDs with --osd",
       .exit = Exit::usage});
}

}  // namespace

std::uint64_t drawn_seed() {
  std::random_device device;
  // 53 bits: a JSON reader that knows doubles only gets the same number.
  constexpr unsigned half = 32;
  constexpr std::uint64_t mask = (std::uint64_t{1} << 53U) - 1;
  const std::uint64_t drawn = ((std::uint64_t{device()} << half) | device()) & mask;
  return drawn == 0 ? 1 : drawn;
}

Result<workload::Layout> layout_for(const RunPlan& plan, const workload::PoolTraits& traits,
                                    const std::vector<std::int32_t>& osds,
                                    std::uint32_t processes) {
  auto layout = workload::lay_out(plan.pattern, traits, plan.clients * processes);
  if (!layout) return layout;
  if (!osds.empty()) return workload::for_each_osd(*std::move(layout), osds);
  if (plan.target == TargetKind::rbd && plan.clients * processes > 1) {
    layout->groups = static_cast<std::uint32_t>(image_count(plan, processes));
  }
  // Clients that write to the same files pass the right to do so to each other.
  if (plan.target == TargetKind::cephfs) layout->groups = plan.clients;
  return layout;
}

Result<engine::EnginePlan> engine_plan_for(const RunPlan& plan, const workload::PoolTraits& traits,
                                           const std::vector<std::int32_t>& osds,
                                           workload::Part part) {
  RADOSLOAD_TRY(check_lanes(plan, osds.size(), part.of));
  RADOSLOAD_TRY(check_depth(plan, osds.size()));
  RADOSLOAD_ASSIGN(auto layout, layout_for(plan, traits, osds, part.of));
  const std::uint32_t loads = layout.loads();
  Arrival arrival = plan.arrival;
  arrival.ops_per_second *= loads;
  return engine::EnginePlan{.pattern = plan.pattern,
                            .layout = std::move(layout),
                            .arrival = arrival,
                            .extent = plan.extent,
                            .warmup = plan.warmup,
                            .drain = plan.drain,
                            .depth = plan.pattern.queue_depth * loads,
                            .seed = plan.seed,
                            .prefill = false,
                            .payload = {},
                            .part = part,
                            .slowest = plan.slowest};
}

std::uint32_t lanes_of(const RunPlan& plan, const workload::Layout& layout) {
  return plan.clients * layout.loads();
}

Result<target::SimModel> sim_model_for(const RunPlan& plan) {
  if (plan.target == TargetKind::null) return target::parse_pretended(plan.sim);
  RADOSLOAD_ASSIGN(auto model, target::parse_sim(plan.sim));
  model.op_timeout = plan.op_timeout;
  return model;
}

engine::EnginePlan prefill_plan_for(const RunPlan& plan, const engine::EnginePlan& load) {
  // What a client may have in flight, and so what payloads take of its memory. How much of it is
  // used follows the latencies: five hard disks write some 2 MiB a second, and with 64 MiB in
  // flight single writes took more than the half minute after which a cluster calls them slow.
  constexpr std::uint64_t most = 64;
  const std::uint64_t in_flight = plan.clients * mib(64).count;
  const std::uint64_t longest = std::max<std::uint64_t>(1, load.layout.longest_prefill().count);
  const std::uint64_t fits = std::clamp<std::uint64_t>(in_flight / longest, 1, most);

  engine::EnginePlan prefill = load;
  prefill.prefill = true;
  prefill.adaptive = true;
  prefill.slowest = 0;
  prefill.extent = Extent{.time = Time(0), .ops = 0, .bytes = {}};
  prefill.warmup = Time(0);
  prefill.arrival = {};
  prefill.depth =
      static_cast<std::uint32_t>(std::max<std::uint64_t>(fits, lanes_of(plan, load.layout)));
  const std::uint64_t bytes = load.layout.prefill_bytes().count;
  if (plan.prefill_rate.count > 0 && bytes > 0) {
    // Small objects, and the ends of larger ones, take less than a chunk.
    const double mean =
        static_cast<double>(bytes) / static_cast<double>(load.layout.prefill_operations());
    prefill.arrival = {.law = Arrival::Law::constant,
                       .ops_per_second = static_cast<double>(plan.prefill_rate.count) / mean};
  }
  return prefill;
}

record::RunHeader header_for(const RunPlan& plan, const std::string& program,
                             const std::string& run_id, record::Environment environment) {
  return {.run_id = run_id,
          .started = record::iso_time(std::chrono::system_clock::now()),
          .program = program,
          .plan = plan,
          .environment = std::move(environment)};
}

}  // namespace radosload::prepare
