// Which of several to pair with which of several others, each at most once: as many pairs as there
// can be, and light ones before heavy ones. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace radosload::placement {

struct PossiblePair {
  std::size_t a = 0;
  std::size_t b = 0;
  std::uint32_t weight = 0;
};

// The lightest pairs are taken first; then pairs are exchanged as long as that makes room for one
// more. In the order of their weights.
std::vector<PossiblePair> pair_off(std::vector<PossiblePair> possible);

}  // namespace radosload::placement
