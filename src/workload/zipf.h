// Zipf-distributed ranks, and the shuffling of ranks over blocks. Under Zipf's law with exponent
// theta the k-th hottest of n blocks is drawn with a probability proportional to k^-theta.
#pragma once

#include <cstdint>

#include "base/random.h"

namespace radosload::workload {

// Rejection-inversion: W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates from
// monotone discrete distributions", ACM TOMACS 6(3), 1996. O(1) to set up and, for any n and theta,
// at most about 1.1 tries a draw; no table, so a working set of terabytes costs what a small one
// does.
class Zipf final {
 public:
  Zipf() = default;
  // n >= 1, theta > 0.
  Zipf(std::uint64_t n, double theta);

  // A rank: 0 is the hottest, n - 1 the coldest.
  std::uint64_t draw(Random& random) const noexcept;

 private:
  double integral(double x) const noexcept;
  double inverse(double y) const noexcept;

  std::uint64_t m_n = 1;
  double m_theta = 1;
  double m_low = 0;    // H(3/2) - h(1)
  double m_high = 0;   // H(n + 1/2)
  double m_shift = 0;  // below this distance from the rounded value no test is needed
};

// A seeded permutation of 0 .. n-1. Without it the hottest blocks would be neighbours in one
// object, and the run would measure that object's PG; hashing ranks (instead of permuting them)
// would let two hot ranks meet on one block and bend the law.
class Scramble final {
 public:
  Scramble() = default;
  Scramble(std::uint64_t n, std::uint64_t seed) noexcept;

  // rank < n.
  std::uint64_t operator()(std::uint64_t rank) const noexcept;

 private:
  std::uint64_t m_n = 1;
  std::uint64_t m_mask = 0;  // the smallest 2^k - 1 that holds n - 1
  unsigned m_shift = 1;
  std::uint64_t m_add = 0;
  std::uint64_t m_key = 0;
};

}  // namespace radosload::workload
