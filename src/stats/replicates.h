// What is compared in each scope: one logarithm for each round, or for each unit. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/arms.h"

namespace radosload::stats {

struct Replicates {
  std::vector<double> base;
  std::vector<double> other;  // of pairs: as many as `base`, in the same order
  bool paired = false;
  std::string lacking;  // why nothing can be compared; empty if it can
};

Replicates rounds_of(const Question& question);
Replicates units_of(const Question& question);
std::optional<Scatter> scatter_of(const Question& question);

// Standard deviations of logarithms, over all arms, as far as the figures tell them.
struct Spread {
  std::optional<double> between;  // of units; in one round that of the rounds is in it
  std::optional<double> within;   // of the rounds of a unit
  // Degrees of freedom of these estimates: how much they may be off themselves.
  double between_degrees = 0;
  double within_degrees = 0;
  bool any() const { return between || within; }
};
// The figures of each arm. Nothing is paired, and how arms differ is left out.
Spread spread_of(std::span<const std::vector<Sample>> arms);

}  // namespace radosload::stats
