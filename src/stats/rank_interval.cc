#include "stats/rank_interval.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <boost/math/distributions/normal.hpp>

namespace radosload::stats {

namespace {

double median_of(std::vector<double> values) {
  const std::size_t half = values.size() / 2;
  std::sort(values.begin(), values.end());
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// In how many splits Mann and Whitney's U has each value, as far as half of its range. The
// coefficients of the Gaussian binomial.
std::vector<double> mann_whitney_counts(std::size_t first, std::size_t second) {
  std::vector<double> counts(first * second / 2 + 1, 0);
  counts[0] = 1;
  for (std::size_t i = 1; i <= first; ++i) {
    for (std::size_t u = counts.size(); u-- > second + i;) counts[u] -= counts[u - second - i];
    for (std::size_t u = i; u < counts.size(); ++u) counts[u] += counts[u - i];
  }
  return counts;
}

// In how many of the 2^pairs choices of signs the positive ranks have each sum.
std::vector<double> wilcoxon_counts(std::size_t pairs) {
  std::vector<double> counts(pairs * (pairs + 1) / 4 + 1, 0);
  counts[0] = 1;
  for (std::size_t i = 1; i <= pairs; ++i) {
    for (std::size_t sum = counts.size(); sum-- > i;) counts[sum] += counts[sum - i];
  }
  return counts;
}

std::optional<OrderStatistic> highest_rank(const std::vector<double>& counts, double all,
                                           double level) {
  constexpr double rounding = 1e-12;
  std::optional<OrderStatistic> best;
  double below = 0;
  for (std::size_t rank = 1; rank <= counts.size(); ++rank) {
    below += counts[rank - 1] / all;
    const double coverage = 1 - 2 * below;
    if (coverage + rounding < level) break;
    best = {.rank = rank, .coverage = coverage};
  }
  return best;
}

std::optional<OrderStatistic> normal_rank(double mean, double deviation, double level) {
  const double z = boost::math::quantile(boost::math::normal(), (1 + level) / 2);
  const double rank = std::floor(mean - z * deviation);
  if (rank < 1) return std::nullopt;
  return OrderStatistic{.rank = static_cast<std::size_t>(rank), .coverage = level};
}

std::vector<double> differences_of(std::span<const double> first, std::span<const double> second) {
  std::vector<double> all;
  all.reserve(first.size() * second.size());
  for (const double b : second) {
    for (const double a : first) all.push_back(b - a);
  }
  return all;
}

std::vector<double> walsh_averages(std::span<const double> differences) {
  std::vector<double> all;
  all.reserve(differences.size() * (differences.size() + 1) / 2);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    for (std::size_t j = i; j < differences.size(); ++j) {
      all.push_back((differences[i] + differences[j]) / 2);
    }
  }
  return all;
}

std::optional<Bounds> bounds_at(std::vector<double> values,
                                const std::optional<OrderStatistic>& at) {
  if (!at) return std::nullopt;
  std::sort(values.begin(), values.end());
  return Bounds{.low = values[at->rank - 1], .high = values[values.size() - at->rank]};
}

}  // namespace

std::optional<OrderStatistic> mann_whitney_rank(std::size_t first, std::size_t second,
                                                double level) {
  if (first == 0 || second == 0) return std::nullopt;
  const auto a = static_cast<double>(first);
  const auto b = static_cast<double>(second);
  if (first + second > most_exact) {
    return normal_rank(a * b / 2, std::sqrt(a * b * (a + b + 1) / 12), level);
  }
  double splits = 1;
  for (std::size_t i = 1; i <= first; ++i) {
    const auto chosen = static_cast<double>(i);
    splits *= (b + chosen) / chosen;
  }
  return highest_rank(mann_whitney_counts(first, second), splits, level);
}

std::optional<OrderStatistic> wilcoxon_rank(std::size_t pairs, double level) {
  if (pairs == 0) return std::nullopt;
  const auto n = static_cast<double>(pairs);
  if (pairs > most_exact) {
    return normal_rank(n * (n + 1) / 4, std::sqrt(n * (n + 1) * (2 * n + 1) / 24), level);
  }
  return highest_rank(wilcoxon_counts(pairs), std::exp2(n), level);
}

double least_p(std::size_t first, std::size_t second) {
  double splits = 1;
  for (std::size_t i = 1; i <= first; ++i) {
    splits *= static_cast<double>(second + i) / static_cast<double>(i);
  }
  return std::min(1.0, 2 / splits);
}

double least_p_of_pairs(std::size_t pairs) {
  return std::min(1.0, std::exp2(1 - static_cast<double>(pairs)));
}

double shift_of(std::span<const double> first, std::span<const double> second) {
  return median_of(differences_of(first, second));
}

std::optional<Bounds> shift_bounds(std::span<const double> first, std::span<const double> second,
                                   double level) {
  return bounds_at(differences_of(first, second),
                   mann_whitney_rank(first.size(), second.size(), level));
}

double centre_of(std::span<const double> differences) {
  return median_of(walsh_averages(differences));
}

std::optional<Bounds> centre_bounds(std::span<const double> differences, double level) {
  return bounds_at(walsh_averages(differences), wilcoxon_rank(differences.size(), level));
}

}  // namespace radosload::stats
