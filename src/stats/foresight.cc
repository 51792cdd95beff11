#include "stats/foresight.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stats/rank_interval.h"
#include "stats/shift.h"
#include "stats/student.h"

namespace radosload::stats {

namespace {

double square(double value) {
  return value * value;
}

struct Deviation {
  double value = 0;  // of replicates, or of differences of pairs
  double degrees = 0;
};

// Nothing: the spread does not tell.
std::optional<Deviation> deviation_of(const Trials& trials, Scope scope, const Spread& spread) {
  if (scope == Scope::these_osds) {
    if (!spread.within) return std::nullopt;
    const double a = square(*spread.within) / static_cast<double>(trials.units_a);
    const double b = square(*spread.within) / static_cast<double>(trials.units_b);
    return Deviation{.value = std::sqrt(trials.rounds_paired ? a + b : (a + b) / 2),
                     .degrees = spread.within_degrees};
  }
  const auto rounds = static_cast<double>(trials.rounds);
  if (trials.units_paired) {
    if (!spread.within) return std::nullopt;
    return Deviation{.value = *spread.within * std::sqrt(2 / rounds),
                     .degrees = spread.within_degrees};
  }
  if (!spread.between) return std::nullopt;
  return Deviation{
      .value = std::sqrt(square(*spread.between) + square(spread.within.value_or(0)) / rounds),
      .degrees = spread.between_degrees};
}

// An interval of ranks covers more than its level, and is wider by the root of pi/3 than that of a
// t test where figures are normal; simulations agree to a few percent of the reach.
double reach_of_method(const Foresight& one, double deviation) {
  const auto n_a = static_cast<double>(one.n_a);
  const auto n_b = static_cast<double>(one.n_b);
  if (assumes_normal(one.method)) return reach_of(n_a, n_b, one.pairs, deviation, one.level);
  const auto interval = one.pairs ? wilcoxon_rank(one.n_a, one.level)
                                  : mann_whitney_rank(one.n_a, one.n_b, one.level);
  const double level = interval ? interval->coverage : one.level;
  return reach_of(n_a, n_b, one.pairs, deviation, level) * std::sqrt(std::numbers::pi / 3);
}

}  // namespace

double level_of_first(double level, std::size_t sharing) {
  return 1 - (1 - level) / static_cast<double>(std::max<std::size_t>(1, sharing));
}

Foresight foresee(const Trials& trials, Scope scope, const Spread& spread, double level,
                  double threshold) {
  const bool by_rounds = scope == Scope::these_osds;
  Foresight found{.scope = scope,
                  .method = Method::none,
                  .pairs = by_rounds ? trials.rounds_paired : trials.units_paired,
                  .n_a = by_rounds ? trials.rounds : trials.units_a,
                  .n_b = by_rounds ? trials.rounds : trials.units_b,
                  .level = level,
                  .least_p = 1,
                  .possible = false,
                  .smallest = {},
                  .at_worst = {}};
  if (std::min(found.n_a, found.n_b) < 2) return found;
  found.method = method_for(found.n_a, found.n_b, found.pairs);
  found.least_p = found.pairs ? least_p_of_pairs(found.n_a) : least_p(found.n_a, found.n_b);
  found.possible =
      assumes_normal(found.method) || ranks_reach(found.n_a, found.n_b, found.pairs, level);
  const auto deviation = deviation_of(trials, scope, spread);
  if (!found.possible || !deviation) return found;
  constexpr double sure = 0.8;
  const double reach = reach_of_method(found, deviation->value);
  const double worst = reach * deviation_factor(sure, deviation->degrees);
  found.smallest = std::expm1(std::log1p(threshold) + reach);
  found.at_worst = std::expm1(std::log1p(threshold) + worst);
  return found;
}

std::optional<std::size_t> enough_for(double level, bool pairs) {
  for (std::size_t n = pairs ? least_pairs_for_ranks : least_for_ranks; n <= most_for_ranks; ++n) {
    if (ranks_reach(n, n, pairs, level)) return n;
  }
  return std::nullopt;
}

}  // namespace radosload::stats
