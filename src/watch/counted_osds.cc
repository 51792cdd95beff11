#include "watch/counted_osds.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace radosload::watch {

std::vector<std::int32_t> leading_osds(const ObjectPlacement& locations) {
  std::map<std::int32_t, std::size_t> objects;
  for (const std::uint32_t pg : locations.pgs()) {
    if (const std::int32_t osd = locations.osd_of(pg); osd >= 0) ++objects[osd];
  }
  std::vector<std::pair<std::int32_t, std::size_t>> ranked(objects.begin(), objects.end());
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& one, const auto& other) { return one.second > other.second; });
  std::vector<std::int32_t> osds;
  osds.reserve(ranked.size());
  for (const auto& [osd, count] : ranked) osds.push_back(osd);
  return osds;
}

std::vector<std::int32_t> counted_osds(std::vector<std::int32_t> leading,
                                       const ObjectPlacement& locations,
                                       const placement::PgMap& pgs, std::size_t most) {
  leading.resize(std::min(leading.size(), most));
  std::set<std::int32_t> osds(leading.begin(), leading.end());
  const std::set<std::uint32_t> used(locations.pgs().begin(), locations.pgs().end());
  for (const std::uint32_t seed : used) {
    const auto pg = pgs.find(seed);
    if (!pg) continue;
    for (const std::int32_t osd : pg->acting) {
      if (osds.size() >= most) break;
      if (osd >= 0 && osd != placement::no_shard) osds.insert(osd);
    }
  }
  return {osds.begin(), osds.end()};
}

}  // namespace radosload::watch
