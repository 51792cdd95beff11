// Symmetric, positive definite matrices, as large as a pool has OSDs: their inverse by Cholesky's
// way. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace radosload::stats {

class Symmetric {
 public:
  explicit Symmetric(std::size_t size) : m_size(size), m_cells(size * size) {}

  std::size_t size() const { return m_size; }
  double& at(std::size_t row, std::size_t column) { return m_cells[row * m_size + column]; }
  double at(std::size_t row, std::size_t column) const { return m_cells[row * m_size + column]; }
  std::span<const double> row(std::size_t row) const {
    return std::span(m_cells).subspan(row * m_size, m_size);
  }

  // Of a matrix of which both halves are filled in. It must be positive definite.
  static Symmetric inverse(Symmetric matrix);

 private:
  std::span<double> part(std::size_t row, std::size_t columns) {
    return std::span(m_cells).subspan(row * m_size, columns);
  }
  void to_lower_factor();
  void invert_lower_factor();

  std::size_t m_size;
  std::vector<double> m_cells;
};

}  // namespace radosload::stats
