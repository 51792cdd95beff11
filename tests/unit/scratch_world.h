// A cluster for tests of scratch pools with a clock of its own, and what is done there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "footprint/owner.h"
#include "footprint/scratch_removal.h"
#include "scratch_support.h"

namespace radosload::footprint::testing {

inline constexpr const char* untouched = "hdd replicated_rule";

inline placement::OsdInventory four_osds() {
  placement::OsdInventory inventory;
  for (std::int32_t id = 0; id < 4; ++id) {
    inventory.osds.push_back({.id = id, .up = true, .device_class = "hdd", .pgs = 50});
    inventory.osds.back().location = {{"host", "a"}, {"root", "default"}};
  }
  return inventory;
}

// Virtual time.
struct World {
  ScratchCluster cluster;
  placement::OsdInventory inventory = four_osds();
  Time now{0};
  int interrupted_at = -1;  // the step that is the last
  int steps = 0;
  std::vector<std::string> notes;

  ScratchHooks hooks() {
    ScratchHooks hooks;
    hooks.now = [this] { return now; };
    hooks.sleep = [this](Time time) { now += time; };
    hooks.step = [this](const std::string& text) {
      ++steps;
      notes.push_back(text);
    };
    hooks.interrupted = [this] { return interrupted_at >= 0 && steps >= interrupted_at; };
    return hooks;
  }
  Result<ScratchPlan> plan(std::vector<std::int32_t> osds = {0, 3}) {
    const std::string name = scratch_name(osds);
    return plan_scratch(cluster, inventory, {.name = name, .osds = std::move(osds)});
  }
  Result<std::int64_t> make(const std::vector<std::int32_t>& osds = {0, 3}) {
    const auto planned = plan(osds);
    if (!planned) return fail(planned.error());
    return make_scratch(cluster, *planned, {.mark = {.owner = this_process(), .since = "t"}},
                        hooks());
  }
  std::vector<ScratchFound> found() { return find_scratch(fetch_scratch(cluster).value()); }
  Result<ScratchRemovals> remove(const ScratchRemoval& removal = {}) {
    return remove_scratch(cluster, removal, hooks());
  }
};

}  // namespace radosload::footprint::testing
