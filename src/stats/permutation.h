// How often chance alone makes two samples differ as much as they do: the two-sided p of the rank
// sum over all splits of the values, and of the signed ranks over all signs of paired differences.
// Ties have their mean rank, and the distribution is that of the values at hand, so p is exact with
// ties too. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace radosload::stats {

// Up to so many values all splits (all signs) are counted; beyond, so many random ones are drawn
// from the seed.
inline constexpr std::size_t most_counted = 80;
inline constexpr std::size_t drawn_splits = 5000;

// 1 for an empty sample.
double split_p(std::span<const double> first, std::span<const double> second, std::uint64_t seed);
// Differences of zero say nothing about the direction, and are left out.
double sign_p(std::span<const double> differences, std::uint64_t seed);

}  // namespace radosload::stats
