#include <utility>

#include "base/random.h"
#include "timers/row.h"

namespace radosload::timers {

std::vector<Turn> turns(const std::vector<std::int32_t>& osds, std::uint32_t rounds,
                        std::uint64_t seed) {
  std::vector<Turn> all;
  all.reserve(osds.size() * rounds);
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    Random random(seed, "timers", round);
    std::vector<std::int32_t> order = osds;
    for (std::size_t left = order.size(); left > 1; --left) {
      std::swap(order[left - 1], order[random.below(left)]);
    }
    for (const std::int32_t osd : order) all.push_back({.osd = osd, .round = round});
  }
  return all;
}

}  // namespace radosload::timers
