// How much two sets of logarithms differ: the estimate, its interval at any level, and what more
// replicates would show. Chooses the method by how many there are. Pure.
#pragma once

#include <cstddef>
#include <optional>

#include "stats/arms.h"
#include "stats/replicates.h"

namespace radosload::stats {

// With fewer, no order statistic has a coverage of 95 %, so a normal distribution must be assumed.
inline constexpr std::size_t least_for_ranks = 4;
inline constexpr std::size_t least_pairs_for_ranks = 6;
// With more, all their differences take too much memory; the normal distribution is harmless then.
inline constexpr std::size_t most_for_ranks = 1000;

// What so many replicates of each arm are judged by.
Method method_for(std::size_t n_a, std::size_t n_b, bool paired);
// Whether so many have an interval of ranks with this coverage at all.
bool ranks_reach(std::size_t n_a, std::size_t n_b, bool paired, double level);
// The change that a t test with this level finds with a probability of 80 %. `deviation`: of
// replicates, or of the differences of pairs.
double reach_of(double n_a, double n_b, bool paired, double deviation, double level);

class Shift {
 public:
  // At least two of each arm.
  explicit Shift(Replicates replicates);

  Method method() const { return m_method; }
  double log_ratio() const;
  double hodges_lehmann() const;
  // Nothing when the method has no interval with this coverage for so few replicates.
  std::optional<Bounds> interval(double level) const;
  double p(std::uint64_t seed) const;
  // All values of both arms (all differences of pairs) are equal: a method that estimates the
  // scatter from the values would find none.
  bool without_scatter() const { return assumes_normal(m_method) && m_deviation < 1e-9; }
  // Change in the logarithm, beyond any threshold, that is found with a probability of 80 %.
  double smallest(double level) const;
  // Replicates per arm with which an interval of this level probably lies within `margin` around
  // its estimate; nothing with more than 1,000.
  std::optional<std::size_t> needed(double margin, double level) const;

 private:
  double reach(double n_a, double n_b, double level) const;

  Replicates m_values;
  std::vector<double> m_differences;  // of pairs
  Method m_method = Method::none;
  double m_deviation = 0;  // standard deviation: pooled, or of the differences
};

}  // namespace radosload::stats
