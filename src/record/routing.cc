#include "record/routing.h"

namespace radosload::record {

std::uint64_t sampled(const Routing& routing) {
  std::uint64_t sum = 0;
  for (const OsdRoute& route : routing.osds) sum += route.sampled;
  for (const Stray& stray : routing.strays) sum += stray.meant == no_osd ? stray.count : 0;
  return sum;
}

std::uint64_t strayed(const Routing& routing) {
  std::uint64_t sum = 0;
  for (const Stray& stray : routing.strays) sum += stray.count;
  return sum;
}

std::optional<double> share_ours(const OsdRoute& route) {
  if (!route.served || route.served->op == 0) return std::nullopt;
  // The two contradict each other.
  if (route.answered > route.served->op) return std::nullopt;
  return static_cast<double>(route.answered) / static_cast<double>(route.served->op);
}

}  // namespace radosload::record
