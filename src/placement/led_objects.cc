#include "placement/led_objects.h"

namespace radosload::placement {

std::map<std::int32_t, std::vector<std::uint64_t>> objects_led_by(
    const std::set<std::int32_t>& osds, std::size_t each,
    const std::function<std::int32_t(std::uint64_t)>& primary_of) {
  // Enough to find one in each of the 65,536 PGs that a pool may have.
  constexpr std::uint64_t most_tries = 1U << 20U;
  std::map<std::int32_t, std::vector<std::uint64_t>> found;
  for (const std::int32_t osd : osds) found[osd] = {};
  std::size_t missing = found.size();
  for (std::uint64_t number = 0; number < most_tries && missing > 0; ++number) {
    const auto of_osd = found.find(primary_of(number));
    if (of_osd == found.end() || of_osd->second.size() == each) continue;
    of_osd->second.push_back(number);
    if (of_osd->second.size() == each) --missing;
  }
  return found;
}

}  // namespace radosload::placement
