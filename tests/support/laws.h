// Tests whether a sample follows a distribution: chi-square and Kolmogorov-Smirnov, both at the
// level alpha = 0.001. Seeds are fixed, so a result never changes without a change of code. The
// level is the probability that correct changed code fails.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace radosload::workload {

// The 99.9 % quantile of chi-square by Wilson and Hilferty's approximation (good to 1 % here).
inline double chi_square_limit(double degrees) {
  constexpr double z = 3.0902;
  const double c = 2 / (9 * degrees);
  return degrees * std::pow(1 - c + z * std::sqrt(c), 3);
}

// The difference of counts from weights (any scale), divided by the limit: <= 1 passes.
// Neighbouring cells are merged until at least five are expected in each, as the approximation
// requires.
inline double chi_square_excess(const std::vector<std::uint64_t>& counts,
                                const std::vector<double>& weights) {
  double total_weight = 0;
  double total = 0;
  for (const double weight : weights) total_weight += weight;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  double sum = 0;
  double cells = 0;
  double expected = 0;
  double seen = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    expected += weights[i] / total_weight * total;
    seen += static_cast<double>(counts[i]);
    if (expected < 5) continue;
    sum += (seen - expected) * (seen - expected) / expected;
    cells += 1;
    expected = seen = 0;
  }
  return sum / chi_square_limit(std::max(cells - 1, 1.0));
}

// The same for a continuous distribution, given by its distribution function.
inline double kolmogorov_excess(std::vector<double> sample,
                                const std::function<double(double)>& distribution) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = distribution(sample[i]);
    const auto rank = static_cast<double>(i);
    distance = std::max({distance, f - rank / n, (rank + 1) / n - f});
  }
  return distance / (1.9495 / std::sqrt(n));
}

}  // namespace radosload::workload
