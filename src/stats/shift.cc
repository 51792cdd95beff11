#include "stats/shift.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "stats/permutation.h"
#include "stats/student.h"

namespace radosload::stats {

namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

double variance_of(const std::vector<double>& values) {
  return squares_of(values) / static_cast<double>(values.size() - 1);
}

Bounds around(double centre, double reach) {
  return {.low = centre - reach, .high = centre + reach};
}

Bounds welch(const std::vector<double>& base, const std::vector<double>& other, double level) {
  const double a = variance_of(base) / static_cast<double>(base.size());
  const double b = variance_of(other) / static_cast<double>(other.size());
  const double degrees = (a + b) * (a + b) /
                         (a * a / static_cast<double>(base.size() - 1) +
                          b * b / static_cast<double>(other.size() - 1));
  const double t = student_quantile((1 + level) / 2, degrees);
  return around(mean_of(other) - mean_of(base), t * std::sqrt(a + b));
}

}  // namespace

Method method_for(std::size_t n_a, std::size_t n_b, bool paired) {
  const std::size_t least = std::min(n_a, n_b);
  const bool few_enough = std::max(n_a, n_b) <= most_for_ranks;
  if (paired) {
    return least >= least_pairs_for_ranks && few_enough ? Method::wilcoxon : Method::paired_t;
  }
  return least >= least_for_ranks && few_enough ? Method::hodges_lehmann : Method::welch;
}

bool ranks_reach(std::size_t n_a, std::size_t n_b, bool paired, double level) {
  constexpr double rounding = 1e-12;
  const double least = paired ? least_p_of_pairs(n_a) : least_p(n_a, n_b);
  return 1 - least + rounding >= level;
}

double reach_of(double n_a, double n_b, bool paired, double deviation, double level) {
  constexpr double found = 0.8;
  const double degrees = paired ? n_a - 1 : n_a + n_b - 2;
  const double error = paired ? std::sqrt(1 / n_a) : std::sqrt(1 / n_a + 1 / n_b);
  const double quantiles =
      student_quantile((1 + level) / 2, degrees) + student_quantile(found, degrees);
  return quantiles * deviation * error;
}

Shift::Shift(Replicates replicates)
    : m_values(std::move(replicates)),
      m_method(method_for(m_values.base.size(), m_values.other.size(), m_values.paired)) {
  const auto& [base, other, paired, lacking] = m_values;
  if (paired) {
    for (std::size_t i = 0; i < base.size(); ++i) m_differences.push_back(other[i] - base[i]);
    std::sort(m_differences.begin(), m_differences.end());
    m_deviation = std::sqrt(variance_of(m_differences));
    return;
  }
  const auto degrees = static_cast<double>(base.size() + other.size() - 2);
  m_deviation = std::sqrt((squares_of(base) + squares_of(other)) / degrees);
}

double Shift::log_ratio() const {
  if (!assumes_normal(m_method)) return hodges_lehmann();
  return m_values.paired ? mean_of(m_differences)
                         : mean_of(m_values.other) - mean_of(m_values.base);
}

double Shift::hodges_lehmann() const {
  const std::size_t most = std::max(m_values.base.size(), m_values.other.size());
  if (most > most_for_ranks) {
    return m_values.paired ? mean_of(m_differences)
                           : mean_of(m_values.other) - mean_of(m_values.base);
  }
  return m_values.paired ? centre_of(m_differences) : shift_of(m_values.base, m_values.other);
}

std::optional<Bounds> Shift::interval(double level) const {
  switch (m_method) {
    case Method::none:
      return std::nullopt;
    case Method::hodges_lehmann:
      return shift_bounds(m_values.base, m_values.other, level);
    case Method::wilcoxon:
      return centre_bounds(m_differences, level);
    case Method::welch:
      return welch(m_values.base, m_values.other, level);
    case Method::paired_t:
      break;
  }
  const auto n = static_cast<double>(m_differences.size());
  const double t = student_quantile((1 + level) / 2, n - 1);
  return around(mean_of(m_differences), t * m_deviation / std::sqrt(n));
}

double Shift::p(std::uint64_t seed) const {
  return m_values.paired ? sign_p(m_differences, seed)
                         : split_p(m_values.base, m_values.other, seed);
}

double Shift::reach(double n_a, double n_b, double level) const {
  return reach_of(n_a, n_b, m_values.paired, m_deviation, level);
}

double Shift::smallest(double level) const {
  return reach(static_cast<double>(m_values.base.size()),
               static_cast<double>(m_values.other.size()), level);
}

std::optional<std::size_t> Shift::needed(double margin, double level) const {
  constexpr std::size_t most = 1000;
  const auto suffice = [&](std::size_t n) {
    return reach(static_cast<double>(n), static_cast<double>(n), level) <= margin;
  };
  if (!suffice(most)) return std::nullopt;
  // More replicates never reach farther, so the least number is found by doubling, then by halving.
  std::size_t too_few = std::min(m_values.base.size(), m_values.other.size());
  std::size_t enough = std::max(most, too_few + 1);
  for (std::size_t n = too_few * 2; n < enough; n *= 2) {
    (suffice(n) ? enough : too_few) = n;
  }
  while (enough - too_few > 1) {
    const std::size_t middle = too_few + (enough - too_few) / 2;
    (suffice(middle) ? enough : too_few) = middle;
  }
  while (enough < most && !ranks_reach(enough, enough, m_values.paired, level)) ++enough;
  return enough;
}

}  // namespace radosload::stats
