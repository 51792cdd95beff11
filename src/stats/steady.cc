#include "stats/steady.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace radosload::stats {

std::optional<Steadiness> steadiness(std::span<const double> parts) {
  if (parts.size() < steady_parts) return std::nullopt;
  const auto count = static_cast<double>(parts.size());
  const double mean = std::accumulate(parts.begin(), parts.end(), 0.0) / count;
  if (!(mean > 0)) return std::nullopt;
  const double middle = (count - 1) / 2;
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    products += x * (parts[i] - mean);
    squares += x * x;
  }
  const auto [least, most] = std::minmax_element(parts.begin(), parts.end());
  return Steadiness{.slope = std::abs(products / squares) * (count - 1) / mean,
                    .excursion = (*most - *least) / mean};
}

bool is_steady(const Steadiness& steadiness) {
  return steadiness.slope <= steady_slope && steadiness.excursion <= steady_excursion;
}

}  // namespace radosload::stats
