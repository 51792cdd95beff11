// Which OSD an object is on in targets without a cluster: any fixed and even distribution will do.
#pragma once

#include <cstdint>

namespace radosload::target {

constexpr std::uint64_t spread(std::uint64_t value) noexcept {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  constexpr unsigned upper = 32;
  return (value * golden) >> upper;
}

constexpr std::int32_t osd_of(std::uint64_t object, std::uint32_t osds) noexcept {
  // A multiplication instead of a division: the upper half of spread x osds.
  constexpr unsigned width = 32;
  return static_cast<std::int32_t>((spread(object) * osds) >> width);
}

}  // namespace radosload::target
