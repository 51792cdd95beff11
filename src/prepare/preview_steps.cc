#include "prepare/preview_steps.h"

#include <algorithm>
#include <utility>

namespace radosload::prepare {

namespace {

bool same_objects(const RunPlan& one, const RunPlan& other) {
  const Pattern& a = one.pattern;
  const Pattern& b = other.pattern;
  return one.pins.osds == other.pins.osds && one.pins.mode == other.pins.mode &&
         a.metadata == b.metadata && a.object_size == b.object_size &&
         a.working_set == b.working_set && a.objects == b.objects &&
         (!a.is_omap() || a.block_size == b.block_size);
}

}  // namespace

Result<std::vector<StepsPreview>> preview_steps(const record::Series& series,
                                                const std::string& program) {
  std::vector<StepsPreview> groups;
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    const RunPlan& step = series.steps[i].plan;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const StepsPreview& group) {
      return same_objects(series.steps[group.steps.front()].plan, step);
    });
    if (same != groups.end()) {
      same->steps.push_back(i);
      continue;
    }
    RADOSLOAD_ASSIGN(auto found, preview(step, program));
    groups.push_back({std::move(found), {i}});
  }
  return groups;
}

}  // namespace radosload::prepare
