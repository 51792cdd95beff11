// Zipf-distributed ranks, and the shuffling of ranks over blocks. Under Zipf's law with exponent
// theta the k-th hottest of n blocks is drawn with a probability proportional to k^-theta.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace radosload::workload {

// The ranks are cut into slices, each a sixteenth as long as what comes before it: for any n no
// more than 680. A draw takes a slice by Walker's table of aliases, a rank of it by chance, and
// keeps the rank as often as its weight is to that of the slice's first: nearly always, and then
// nearly always without a power being computed. Exact for any n and theta, and a working set of
// terabytes costs what a small one does. (Rejection-inversion, which needs no table, took a
// logarithm and an exponential for every draw, an eighth of all time on the null target.)
class Zipf final {
 public:
  Zipf() = default;
  // n >= 1, theta > 0.
  Zipf(std::uint64_t n, double theta);

  // A rank: 0 is the hottest, n - 1 the coldest.
  std::uint64_t draw(Random& random) const noexcept;

 private:
  struct Slice {
    std::uint64_t first;  // ranks are counted from 1 here
    std::uint64_t width;
    double surely;            // what the weight of the last is to that of the first
    std::uint32_t alias = 0;  // the slice that is taken in this one's place,
    double own = 1;           // unless by this chance
  };
  void cut(std::uint64_t n);
  void balance();
  const Slice& draw_slice(Random& random) const noexcept;

  double m_theta = 1;
  std::vector<Slice> m_slices;
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
