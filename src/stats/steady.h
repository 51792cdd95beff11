// Whether a load has become steady: neither a trend nor an excursion over the last parts of a
// series. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace radosload::stats {

// As shares of the mean of the parts.
struct Steadiness {
  double slope = 0;      // how far the least-squares line rises or falls from end to end
  double excursion = 0;  // the largest part minus the smallest
};

inline constexpr std::size_t steady_parts = 5;
inline constexpr double steady_slope = 0.10;
inline constexpr double steady_excursion = 0.20;

// Of parts of equal length, in the order of time. Empty with fewer than steady_parts, and where
// their mean is not above 0.
std::optional<Steadiness> steadiness(std::span<const double> parts);

bool is_steady(const Steadiness& steadiness);

}  // namespace radosload::stats
