#include "stats/change_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

namespace radosload::stats {

namespace {

// The sum of squares of what is left of constant values by rounding.
constexpr double rounding = 1e-18;

struct Sums {
  double count = 0;
  double sum = 0;
  double squares = 0;

  void add(double value) {
    count += 1;
    sum += value;
    squares += value * value;
  }
  double mean() const { return sum / count; }
  double scatter() const { return std::max(0.0, squares - sum * sum / count); }
};

double t_of(const Sums& left, const Sums& right) {
  const double shift = right.mean() - left.mean();
  const double degrees = left.count + right.count - 2;
  const double variance = (left.scatter() + right.scatter()) / degrees;
  if (variance < rounding) {
    const double endless = std::numeric_limits<double>::infinity();
    return std::abs(shift) < std::sqrt(rounding) ? 0.0 : std::copysign(endless, shift);
  }
  return shift / std::sqrt(variance * (1 / left.count + 1 / right.count));
}

Sums sums_of(std::span<const double> values, double zero) {
  Sums sums;
  for (const double value : values) sums.add(value - zero);
  return sums;
}

// Whether any place passes the test. If none does, the one of greatest distance does not either,
// and the distances, which take far longer, need not be computed.
bool any_passes(std::span<const double> series, const ChangeRule& rule, double critical) {
  const double zero = series.front();
  const Sums all = sums_of(series, zero);
  Sums left;
  for (std::size_t at = 1; at + rule.after <= series.size(); ++at) {
    left.add(series[at - 1] - zero);
    if (at < rule.before) continue;
    const Sums right{.count = all.count - left.count,
                     .sum = all.sum - left.sum,
                     .squares = all.squares - left.squares};
    if (std::abs(right.mean() - left.mean()) < rule.least_shift) continue;
    if (std::abs(t_of(left, right)) >= critical) return true;
  }
  return false;
}

}  // namespace

std::optional<std::size_t> most_divided(std::span<const double> series, std::size_t before,
                                        std::size_t after) {
  const std::size_t size = series.size();
  if (before < 2 || after < 2 || size < before + after) return std::nullopt;
  // Sums of the distances within both sides, and between them, while values move to the left.
  double within_left = 0;
  double within_right = 0;
  double between = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) within_right += std::abs(series[i] - series[j]);
  }
  std::optional<std::size_t> best;
  double greatest = 0;
  for (std::size_t at = 1; at + after <= size; ++at) {
    const double moved = series[at - 1];
    double to_left = 0;
    double to_right = 0;
    for (std::size_t i = 0; i + 1 < at; ++i) to_left += std::abs(series[i] - moved);
    for (std::size_t i = at; i < size; ++i) to_right += std::abs(series[i] - moved);
    within_left += to_left;
    within_right -= to_right;
    between += to_right - to_left;
    if (at < before) continue;
    const auto left = static_cast<double>(at);
    const auto right = static_cast<double>(size - at);
    const double energy = 2 * between / (left * right) - 2 * within_left / (left * (left - 1)) -
                          2 * within_right / (right * (right - 1));
    const double distance = energy * left * right / (left + right);
    if (distance > greatest) {
      greatest = distance;
      best = at;
    }
  }
  return best;
}

Split split_at(std::span<const double> series, std::size_t at) {
  const Sums left = sums_of(series.first(at), series.front());
  const Sums right = sums_of(series.subspan(at), series.front());
  return {.at = at, .shift = right.mean() - left.mean(), .t = t_of(left, right)};
}

double critical_t(std::size_t degrees, double significance) {
  const boost::math::students_t_distribution<double> law(static_cast<double>(degrees));
  return boost::math::quantile(boost::math::complement(law, significance / 2));
}

double share_beyond(std::span<const double> series, const Split& split) {
  std::vector<double> before(series.begin(),
                             series.begin() + static_cast<std::ptrdiff_t>(split.at));
  const double sign = split.shift < 0 ? -1 : 1;
  for (double& value : before) value *= sign;
  const auto quartile = before.begin() + static_cast<std::ptrdiff_t>(3 * before.size() / 4);
  std::nth_element(before.begin(), quartile, before.end());
  const auto after = series.subspan(split.at);
  const auto beyond = std::count_if(after.begin(), after.end(),
                                    [&](double value) { return sign * value > *quartile; });
  return static_cast<double>(beyond) / static_cast<double>(after.size());
}

std::optional<Split> find_change(std::span<const double> series, const ChangeRule& rule) {
  if (rule.before < 2 || rule.after < 2 || series.size() < rule.before + rule.after) {
    return std::nullopt;
  }
  // Series of the same length come by the thousand.
  thread_local std::vector<double> known;
  thread_local double known_for = 0;
  if (known_for != rule.significance) known.clear();
  known_for = rule.significance;
  const std::size_t degrees = series.size() - 2;
  if (known.size() <= degrees) known.resize(degrees + 1, 0);
  if (known[degrees] == 0) known[degrees] = critical_t(degrees, rule.significance);
  if (!any_passes(series, rule, known[degrees])) return std::nullopt;
  // Less than `after` values after the best split: too early to tell where the change is.
  const auto at = most_divided(series, rule.before, 2);
  if (!at || series.size() - *at < rule.after) return std::nullopt;
  const Split split = split_at(series, *at);
  if (std::abs(split.t) < known[degrees] || std::abs(split.shift) < rule.least_shift) {
    return std::nullopt;
  }
  if (share_beyond(series, split) < rule.agreeing) return std::nullopt;
  return split;
}

}  // namespace radosload::stats
