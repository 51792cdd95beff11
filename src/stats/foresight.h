// What a design can find, before anything is measured with it: whether a verdict is possible at
// all, and the smallest change that it probably finds when the figures scatter as earlier ones did.
// How the arms differ is not looked at, so planning by it does not choose their verdict. Pure.
#pragma once

#include <cstddef>
#include <optional>

#include "stats/arms.h"
#include "stats/replicates.h"

namespace radosload::stats {

// A comparison of two arms.
struct Trials {
  std::size_t units_a = 0;
  std::size_t units_b = 0;
  bool units_paired = false;  // the same units in both arms: as many in `units_b`
  std::size_t rounds = 0;
  bool rounds_paired = true;  // a round visits both arms
};

struct Foresight {
  Scope scope = Scope::this_kind;
  Method method = Method::none;  // none: not assessable, with fewer than two replicates
  bool pairs = false;
  std::size_t n_a = 0;
  std::size_t n_b = 0;
  double level = 0.95;   // that the first verdict must reach
  double least_p = 1;    // with any figures
  bool possible = true;  // a verdict other than inconclusive
  // The smallest change called faster or slower four times in five; nothing: not known.
  std::optional<double> smallest;
  // The same if the scatter is larger than it seemed, as it is with a probability of 20 %.
  std::optional<double> at_worst;
};

// Of several verdicts that share a level, what the first one must reach.
double level_of_first(double level, std::size_t sharing);

Foresight foresee(const Trials& trials, Scope scope, const Spread& spread, double level,
                  double threshold);

// So many units in each arm (rounds, for these_osds) have an interval of this level without an
// assumption; nothing: not even 1,000.
std::optional<std::size_t> enough_for(double level, bool pairs);

}  // namespace radosload::stats
