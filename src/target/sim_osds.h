// Which OSD an object lies on, where there is no cluster to say so: any spread will do, as long as
// it stays.
#pragma once

#include <cstdint>

namespace radosload::target {

constexpr std::uint64_t spread(std::uint64_t value) noexcept {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  constexpr unsigned upper = 32;
  return (value * golden) >> upper;
}

constexpr std::int32_t osd_of(std::uint64_t object, std::uint32_t osds) noexcept {
  // A multiplication in place of a division: the upper half of spread x osds.
  constexpr unsigned width = 32;
  return static_cast<std::int32_t>((spread(object) * osds) >> width);
}

}  // namespace radosload::target
