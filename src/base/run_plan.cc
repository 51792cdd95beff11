#include "radosload/run_plan.h"

#include <algorithm>

namespace radosload {

bool needs_cluster(TargetKind target) {
  return target == TargetKind::rados || target == TargetKind::rbd || target == TargetKind::cephfs;
}

TargetKind implied_target(const RunPlan& plan) {
  if (plan.drive.any()) return TargetKind::block;
  if (plan.files.any()) return TargetKind::cephfs;
  const bool images = !plan.images.names.empty() || plan.images.create.count > 0;
  return images ? TargetKind::rbd : TargetKind::rados;
}

std::uint32_t default_open_depth(Bytes block_size) {
  constexpr std::uint64_t most = 4096;
  const Bytes memory = gib(1);
  const std::uint64_t fits = memory.count / std::max<std::uint64_t>(1, block_size.count);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(fits, 1, most));
}

}  // namespace radosload
