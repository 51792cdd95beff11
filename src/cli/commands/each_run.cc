#include "cli/commands/each_run.h"

#include <utility>

#include "cli/commands/series_run.h"
#include "cluster/admin.h"
#include "observe/osds.h"
#include "plan/rounds.h"
#include "prepare/engine_plan.h"
#include "prepare/pinning.h"

#include <fmt/core.h>

namespace radosload::cli {

namespace {

tl::unexpected<Error> refused(std::string reason, std::string hint) {
  return fail({.attempt = "measure one OSD at a time",
               .reason = std::move(reason),
               .hint = std::move(hint),
               .exit = Exit::usage});
}

Result<std::vector<std::int32_t>> osds_of(const RunPlan& plan) {
  RADOSLOAD_ASSIGN(const auto admin, cluster::Admin::open(plan.cluster));
  RADOSLOAD_ASSIGN(const auto inventory, observe::fetch_osds(*admin));
  return prepare::pinned_osds(plan.pins, inventory);
}

}  // namespace

Result<Exit> run_each(const RunWords& words, const plan::Steps& steps) {
  if (steps.series()) {
    return refused("--each cannot be combined with lists of values or suites",
                   "leave out --each, or give every key one value");
  }
  if (!words.resume.empty()) {
    return refused(
        "--each and --resume cannot be combined: the saved series has its OSDs and order",
        fmt::format("continue it with 'radosload --resume {}'", words.resume));
  }
  plan::Step single = steps.steps.front();
  if (!single.plan.pins.any()) return refused("--each needs --osd", "name the OSDs: --osd 0,3,6");
  if (single.plan.seed == 0) single.plan.seed = prepare::drawn_seed();
  RADOSLOAD_ASSIGN(const auto osds, osds_of(single.plan));
  RADOSLOAD_ASSIGN(const auto rounds, plan::one_at_a_time(single, steps.title, osds, words.rounds));
  return run_series(words, rounds);
}

}  // namespace radosload::cli
