#include "radosload/run_plan.h"

#include <algorithm>

#include <fmt/format.h>

namespace radosload {

namespace {

Error contradiction(std::string reason, std::string hint) {
  return Error{.attempt = "plan the run",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage};
}

Status check_place(const RunPlan& plan) {
  if (plan.target == TargetKind::rados && plan.pool.empty()) {
    return fail(contradiction("no pool is named", "name one with --pool"));
  }
  if (plan.target != TargetKind::rados && !plan.pool.empty()) {
    return fail(contradiction("--pool and a target that is no cluster exclude each other",
                              "leave out one of --pool and --target"));
  }
  if (plan.target == TargetKind::rados && !plan.sim.empty()) {
    return fail(
        contradiction("--sim describes a simulated cluster", "add --target sim, or --target null"));
  }
  if (plan.target != TargetKind::rados && (plan.keep || !plan.reuse.empty())) {
    return fail(contradiction("--keep and --reuse are about objects in a pool",
                              "leave them out with this target"));
  }
  return {};
}

Status check_load(const RunPlan& plan) {
  if (plan.clients == 0) return fail(contradiction("--clients is 0", "one is the least"));
  if (plan.pattern.queue_depth < plan.clients) {
    return fail(contradiction(
        fmt::format("--qd {} is less than --clients {}", plan.pattern.queue_depth, plan.clients),
        "--qd is the total over all clients: each needs one operation at least"));
  }
  const Extent& extent = plan.extent;
  if (extent.time == Time(0) && extent.ops == 0 && extent.bytes.count == 0) {
    return fail(contradiction("the run has no end", "give --time, --ops or --bytes"));
  }
  if (extent.bytes.count > 0 && !plan.pattern.is_data()) {
    return fail(contradiction(
        fmt::format("--bytes never ends a run of {}, which moves no data", plan.pattern.name),
        "use --time or --ops"));
  }
  return {};
}

}  // namespace

std::uint32_t default_open_depth(Bytes block_size) {
  constexpr std::uint64_t most = 4096;
  const Bytes memory = gib(1);
  const std::uint64_t fits = memory.count / std::max<std::uint64_t>(1, block_size.count);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fits, 1, most));
}

Status validate(const RunPlan& plan) {
  if (auto place = check_place(plan); !place) return place;
  return check_load(plan);
}

}  // namespace radosload
