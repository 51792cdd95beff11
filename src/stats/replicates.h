// What is compared in each scope: one logarithm for each round, or for each unit. Pure.
#pragma once

#include <optional>
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

}  // namespace radosload::stats
