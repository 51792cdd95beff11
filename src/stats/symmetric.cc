#include "stats/symmetric.h"

#include <array>
#include <cmath>

namespace radosload::stats {

namespace {

// Four sums side by side: additions of doubles must not be reordered by the compiler, so one sum
// would wait for itself.
double product(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t width = 4;
  std::array<double, width> sums{};
  std::size_t i = 0;
  for (; i + width <= a.size(); i += width) {
    for (std::size_t j = 0; j < width; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

// matrix = L L'. The upper half keeps what it had, and is not looked at again.
void Symmetric::to_lower_factor() {
  for (std::size_t i = 0; i < m_size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      at(i, j) = (at(i, j) - product(part(i, j), part(j, j))) / at(j, j);
    }
    at(i, i) = std::sqrt(at(i, i) - product(part(i, i), part(i, i)));
  }
}

// Leaves the inverse of L transposed, in the upper half and on the diagonal: column after column of
// the inverse is then a row, and lies in one piece.
void Symmetric::invert_lower_factor() {
  for (std::size_t i = 0; i < m_size; ++i) {
    const double diagonal = 1 / at(i, i);
    for (std::size_t j = i + 1; j < m_size; ++j) {
      const std::size_t length = j - i - 1;
      const double above =
          at(j, i) * diagonal + product(std::span<const double>(part(j, j)).last(length),
                                        std::span<const double>(part(i, j)).last(length));
      at(i, j) = -above / at(j, j);
    }
  }
  for (std::size_t i = 0; i < m_size; ++i) at(i, i) = 1 / at(i, i);
}

Symmetric Symmetric::inverse(Symmetric matrix) {
  matrix.to_lower_factor();
  matrix.invert_lower_factor();
  const std::size_t size = matrix.m_size;
  Symmetric result(size);
  for (std::size_t i = 0; i < size; ++i) {
    const auto mine = matrix.row(i);
    for (std::size_t j = 0; j <= i; ++j) {
      const double value = product(mine.subspan(i), matrix.row(j).subspan(i));
      result.at(i, j) = value;
      result.at(j, i) = value;
    }
  }
  return result;
}

}  // namespace radosload::stats
