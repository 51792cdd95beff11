// Estimates and intervals that rest on ranks alone, without an assumption on the distribution: the
// Hodges-Lehmann shift of two samples with the interval of Mann and Whitney's test, and that of
// paired differences with the interval of Wilcoxon's. Intervals are order statistics of all
// differences (of all Walsh averages), so their coverage is exact and at least the level. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace radosload::stats {

struct Bounds {
  double low = 0;
  double high = 0;
};

// The interval reaches from the rank-th smallest difference to the rank-th largest one.
struct OrderStatistic {
  std::size_t rank = 0;
  double coverage = 0;
};

// The highest rank whose coverage is at least the level; nothing when even the full range covers
// less. Exact up to `most_exact` values together, a normal approximation beyond.
inline constexpr std::size_t most_exact = 200;
std::optional<OrderStatistic> mann_whitney_rank(std::size_t first, std::size_t second,
                                                double level);
std::optional<OrderStatistic> wilcoxon_rank(std::size_t pairs, double level);

// The least two-sided p of this number of values: one sample wholly above the other, or all
// differences of one sign. The widest interval covers 1 minus this.
double least_p(std::size_t first, std::size_t second);
double least_p_of_pairs(std::size_t pairs);

// The median of all differences second - first. None of the samples is empty.
double shift_of(std::span<const double> first, std::span<const double> second);
std::optional<Bounds> shift_bounds(std::span<const double> first, std::span<const double> second,
                                   double level);

// The median of the means of all pairs of differences, each with itself too.
double centre_of(std::span<const double> differences);
std::optional<Bounds> centre_bounds(std::span<const double> differences, double level);

}  // namespace radosload::stats
