#include "engine/lane_source.h"

namespace radosload::engine {

LaneSource source_for(const EnginePlan& plan, std::uint32_t index, std::uint32_t lanes) {
  const std::uint32_t lane = plan.part.lane(index, lanes, plan.layout.loads());
  const std::uint32_t all = plan.part.lanes(lanes);
  if (plan.prefill) return workload::PrefillStream(plan.layout, lane, all);
  return workload::Stream(plan.pattern, plan.layout, plan.seed, lane, all);
}

bool is_over(const workload::Stream& source) {
  return source.exhausted();
}

bool is_over(const workload::PrefillStream& source) {
  return source.done();
}

}  // namespace radosload::engine
