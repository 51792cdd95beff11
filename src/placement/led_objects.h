// Objects for each of some OSDs, in PGs that it leads. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <vector>

namespace radosload::placement {

// The numbers of objects for each of the OSDs, `each` at most, ascending. Every OSD must lead a PG:
// the search for one that does not ends only when the candidates are used up.
std::map<std::int32_t, std::vector<std::uint64_t>> objects_led_by(
    const std::set<std::int32_t>& osds, std::size_t each,
    const std::function<std::int32_t(std::uint64_t)>& primary_of);

}  // namespace radosload::placement
