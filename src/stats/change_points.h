// Where a series of figures changed its level: E-divisive (Matteson and James, 2014) with a t-test
// in place of permutations, as Hunter and Apache Otava do it (arXiv 2301.03034). The place is the
// split of greatest energy distance; the t-test tells whether to believe it. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace radosload::stats {

struct ChangeRule {
  std::size_t before = 24;  // at least so many values before a change,
  std::size_t after = 6;    // and after it
  // Of the t-test, two-sided. Far below 1 %: the test is repeated after each new value, at the best
  // of all places.
  double significance = 1e-7;
  double least_shift = 0;  // smaller changes do not matter
  // So large a share of the values after the change lies beyond the outer quartile of those before
  // it. A few far outliers make a large t, and are no other level.
  double agreeing = 0.8;
};

struct Split {
  std::size_t at = 0;  // the first value after the change
  double shift = 0;    // mean after it, minus mean before it
  double t = 0;        // the statistic of the test
};

// The split of greatest energy distance that leaves enough values on both sides.
std::optional<std::size_t> most_divided(std::span<const double> series, std::size_t before,
                                        std::size_t after);

// Student's statistic, with the pooled variance, of the values from `at` on against those before.
Split split_at(std::span<const double> series, std::size_t at);

// The smallest |t| that is significant at so many degrees of freedom.
double critical_t(std::size_t degrees, double significance);

// The share of the values from `at` on that lie beyond the outer quartile of those before it, on
// the side of the change. A quarter when nothing changed.
double share_beyond(std::span<const double> series, const Split& split);

// The one change of a series; nothing without one that is significant and large enough.
std::optional<Split> find_change(std::span<const double> series, const ChangeRule& rule);

}  // namespace radosload::stats
