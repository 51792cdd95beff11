#include "base/random.h"

namespace radosload {

std::uint64_t split_seed(std::uint64_t seed, std::string_view purpose,
                         std::uint64_t lane) noexcept {
  // FNV-1a over the purpose; the mixing on both sides of the lane keeps (seed 1, lane 2) away from
  // (seed 2, lane 1).
  std::uint64_t name = 0xcbf29ce484222325U;
  for (const char letter : purpose) {
    name = (name ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  }
  return mix64(mix64(mix64(seed) + name) ^ mix64(lane + 0x9e3779b97f4a7c15U));
}

}  // namespace radosload
