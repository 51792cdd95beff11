// The ratio of two sums over time, as joules for each operation, with its interval. Seconds that
// follow each other are alike, so the interval comes from the means of a few long parts of the time
// (batch means), not from single seconds. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace radosload::stats {

// What belongs to one stretch of time.
struct RatioPart {
  double seconds = 0;
  double over = 0;   // as joules
  double under = 0;  // as operations
};

// A rate that is subtracted from `over`, as the power without load, and how well it is known.
struct Subtracted {
  double per_second = 0;
  std::optional<double> variance = 0.0;  // of per_second; empty: not known
  double degrees = 1;                    // of freedom, behind the variance
};

struct Ratio {
  double value = 0;
  // The interval with 95 % confidence; empty with too little to tell.
  std::optional<double> low = {};
  std::optional<double> high = {};
};

// The time is divided into so many batches, or with fewer parts into least_batches.
inline constexpr std::size_t batches = 10;
inline constexpr std::size_t least_batches = 5;

// Of parts in the order of time. Nothing when the sum of `under` is not above 0.
std::optional<Ratio> ratio_of_sums(std::span<const RatioPart> parts,
                                   const Subtracted& subtracted = {});

}  // namespace radosload::stats
