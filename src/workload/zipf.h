// Zipf-distributed ranks, and a permutation that spreads the ranks over blocks. Under Zipf's law
// with exponent theta the k-th hottest of n blocks is drawn with a probability proportional to
// k^-theta.
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
    std::uint64_t surely;       // weight of the last rank relative to the first, as a chance
    std::uint64_t own = ~0ULL;  // the chance that it is this slice,
    std::uint32_t alias = 0;    // and not the one that takes the rest of its place
  };
  // Uniform on 0 .. bound-1, and what the draw leaves over: uniform as well, and independent of it.
  // Neither is off by more than bound / 2^64.
  struct Split {
    Split(Random& random, std::uint64_t bound) noexcept {
      const std::uint64_t draw = random.next();
      place = multiply_high(draw, bound);
      rest = draw * bound;
    }
    std::uint64_t place;
    std::uint64_t rest;
  };
  void cut(std::uint64_t n);
  void balance();
  const Slice& draw_slice(Random& random) const noexcept;
  // The chance of rank k of that slice to be kept.
  std::uint64_t chance(const Slice& slice, std::uint64_t k) const noexcept;

  double m_theta = 1;
  std::vector<Slice> m_slices;
};

// A seeded permutation of 0 .. n-1. Without it the hottest blocks would be neighbours in one
// object, and the run would measure that object's PG. A hash of the ranks would map some hot ranks
// to the same block and distort the distribution.
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

// Inline, because every operation calls these functions and a call would cost more than they do.
inline const Zipf::Slice& Zipf::draw_slice(Random& random) const noexcept {
  const Split split(random, m_slices.size());
  const Slice& slice = m_slices[split.place];
  return split.rest <= slice.own ? slice : m_slices[slice.alias];
}

inline std::uint64_t Zipf::draw(Random& random) const noexcept {
  for (;;) {
    const Slice& slice = draw_slice(random);
    if (slice.width == 1) return slice.first - 1;
    const Split split(random, slice.width);
    const std::uint64_t k = slice.first + split.place;
    if (split.rest < slice.surely || split.rest < chance(slice, k)) return k - 1;
  }
}

inline std::uint64_t Scramble::operator()(std::uint64_t rank) const noexcept {
  // Each step is a bijection of 0 .. mask: adding, multiplying by an odd number, and xor with its
  // own upper half. What falls outside 0 .. n-1 is sent round again until it does not (cycle
  // walking), which keeps it a bijection and takes less than two rounds on average.
  do {
    rank = (rank + m_add) & m_mask;
    rank = (rank * m_key) & m_mask;
    rank ^= rank >> m_shift;
    rank = (rank * 0xd6e8feb86659fd93U) & m_mask;
    rank ^= rank >> m_shift;
    rank = (rank * m_key) & m_mask;
    rank ^= rank >> m_shift;
  } while (rank >= m_n);
  return rank;
}

}  // namespace radosload::workload
