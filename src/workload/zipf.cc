#include "workload/zipf.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace radosload::workload {

namespace {

constexpr std::uint64_t narrowness = 16;

// Chances are in units of 2^-64, because they are compared with the rest of a draw.
std::uint64_t chance_of(double probability) {
  constexpr double whole = 0x1p64;
  return probability >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(probability * whole);
}

// The weight of rank `k` relative to that of rank `first`.
double relative_weight(std::uint64_t k, std::uint64_t first, double theta) {
  return std::pow(static_cast<double>(k) / static_cast<double>(first), -theta);
}

}  // namespace

Zipf::Zipf(std::uint64_t n, double theta) : m_theta(theta) {
  cut(n);
  balance();
}

void Zipf::cut(std::uint64_t n) {
  std::uint64_t before = 0;
  while (before < n) {
    const std::uint64_t first = before + 1;
    const std::uint64_t width =
        std::min(std::max(first / narrowness, std::uint64_t{1}), n - before);
    m_slices.push_back({.first = first,
                        .width = width,
                        .surely = chance_of(relative_weight(before + width, first, m_theta))});
    before += width;
  }
}

// Walker's alias method: every place of the table is equally likely. A slice that is less likely
// than that leaves the rest of its place to a more likely one, until all places are full.
void Zipf::balance() {
  std::vector<double> share;
  double sum = 0;
  for (const Slice& slice : m_slices) {
    share.push_back(static_cast<double>(slice.width) * relative_weight(slice.first, 1, m_theta));
    sum += share.back();
  }
  std::vector<std::uint32_t> poor;
  std::vector<std::uint32_t> rich;
  for (std::uint32_t i = 0; i < share.size(); ++i) {
    share[i] *= static_cast<double>(share.size()) / sum;
    (share[i] < 1 ? poor : rich).push_back(i);
  }
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t giver = rich.back();
    Slice& taker = m_slices[poor.back()];
    taker.own = chance_of(share[poor.back()]);
    taker.alias = giver;
    share[giver] -= 1 - share[poor.back()];
    poor.pop_back();
    if (share[giver] >= 1) continue;
    rich.pop_back();
    poor.push_back(giver);
  }
}

std::uint64_t Zipf::chance(const Slice& slice, std::uint64_t k) const noexcept {
  return chance_of(relative_weight(k, slice.first, m_theta));
}

Scramble::Scramble(std::uint64_t n, std::uint64_t seed) noexcept
    : m_n(n), m_add(mix64(seed)), m_key(mix64(seed + 1) | 1U) {
  const auto bits = static_cast<unsigned>(std::bit_width(n - 1));
  m_mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  m_shift = std::max(bits / 2, 1U);
}

}  // namespace radosload::workload
