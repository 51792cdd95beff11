// Seeded pseudo-random numbers, the same on every machine and in every build: xoshiro256++
// (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", 2021), seeded through
// splitmix64. A run has one seed. Every lane and purpose has its own stream derived from it, so
// that one part of the program never changes the numbers of another.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace radosload {

// A bijection of 64 bits in which every input bit moves about half of the output bits: the
// finalizer of splitmix64.
constexpr std::uint64_t mix64(std::uint64_t value) noexcept {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

// The upper 64 bits of the product of two 64-bit numbers.
constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64U);
}

// The seed of one stream of a run. Different purposes or lanes give unrelated streams.
std::uint64_t split_seed(std::uint64_t seed, std::string_view purpose,
                         std::uint64_t lane = 0) noexcept;

// One stream of numbers. Cheap to make and to copy; not shared between threads.
class Random final {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept {
    for (std::uint64_t& word : m_state) {
      seed += 0x9e3779b97f4a7c15U;  // splitmix64's step; its output is never four times zero
      word = mix64(seed);
    }
  }
  Random(std::uint64_t seed, std::string_view purpose, std::uint64_t lane = 0) noexcept
      : Random(split_seed(seed, purpose, lane)) {}

  constexpr std::uint64_t next() noexcept {
    const std::uint64_t result = std::rotl(m_state[0] + m_state[3], 23) + m_state[0];
    const std::uint64_t shifted = m_state[1] << 17U;
    m_state[2] ^= m_state[0];
    m_state[3] ^= m_state[1];
    m_state[1] ^= m_state[2];
    m_state[0] ^= m_state[3];
    m_state[2] ^= shifted;
    m_state[3] = std::rotl(m_state[3], 45);
    return result;
  }

  // Uniform on 0 .. bound-1 without bias; bound > 0. Lemire, "Fast Random Integer Generation in an
  // Interval", 2019: the rare draws that would favour small numbers are thrown away.
  constexpr std::uint64_t below(std::uint64_t bound) noexcept {
    std::uint64_t draw = next();
    if (draw * bound < bound) {
      const std::uint64_t biased = (0 - bound) % bound;  // 2^64 mod bound
      while (draw * bound < biased) draw = next();
    }
    return multiply_high(draw, bound);
  }

  // A uniform cell of a table of rows x columns, from one draw: below(rows x columns) split into
  // row and column without a division. The product must not exceed 2^63.
  struct Cell {
    std::uint64_t row;
    std::uint64_t column;
  };
  constexpr Cell cell(std::uint64_t rows, std::uint64_t columns) noexcept {
    // draw x rows = row x 2^64 + rest, so draw x rows x columns / 2^64 = row x columns + column
    // with column = rest x columns / 2^64: Lemire's product, in two steps.
    const std::uint64_t cells = rows * columns;
    std::uint64_t draw = next();
    if (draw * cells < cells) {
      const std::uint64_t biased = (0 - cells) % cells;
      while (draw * cells < biased) draw = next();
    }
    return {multiply_high(draw, rows), multiply_high(draw * rows, columns)};
  }

  // Uniform on [0, 1), in steps of 2^-53.
  constexpr double unit() noexcept { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  // Uniform on (0, 1]: may go into a logarithm.
  constexpr double positive_unit() noexcept {
    return static_cast<double>((next() >> 11U) + 1) * 0x1p-53;
  }

 private:
  std::array<std::uint64_t, 4> m_state{};
};

}  // namespace radosload
