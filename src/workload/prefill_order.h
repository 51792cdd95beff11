// In which order a lane's prefill writes its objects: of the next few the one whose OSDs have the
// fewest writes of it to do, so that none of them idles while others queue. Where the OSDs are
// unknown, in the order of the objects.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "radosload/object_placement.h"

namespace radosload::workload {

class PrefillOrder {
 public:
  // Nothing to write.
  PrefillOrder() = default;
  // The objects at these places of the working set.
  PrefillOrder(std::shared_ptr<const ObjectPlacement> locations, std::uint64_t begin,
               std::uint64_t end);

  bool done() const noexcept { return m_choice.empty(); }
  // The place of the next object. Not to be called when done().
  std::uint64_t take() noexcept;
  // A write to an object of this PG begins, and has ended.
  void sent(std::uint32_t pg) noexcept;
  void ended(std::uint32_t pg) noexcept;

 private:
  // More of them would gain little, and what is left of an interrupted prefill would have wide
  // gaps.
  static constexpr std::size_t most_choice = 16;
  // The most writes of one of an object's OSDs, and the sum of all of them.
  using Load = std::pair<std::uint32_t, std::uint32_t>;

  Load load_of(std::uint64_t place) const noexcept;

  std::shared_ptr<const ObjectPlacement> m_locations;
  std::vector<std::uint64_t> m_choice;  // ascending
  std::uint64_t m_next = 0;             // the first that is not in it yet
  std::uint64_t m_end = 0;
  std::vector<std::uint32_t> m_writes;  // under way, by OSD
};

}  // namespace radosload::workload
