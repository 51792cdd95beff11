// Compares two arms (kinds of OSDs, pools, settings) by their figures, and decides whether the
// second is faster or slower than the first. The unit is the OSD (or pool, or image), never the
// operation.
//
// There are two questions, and an answer holds for one of them only: whether these very OSDs differ
// (their rounds are the replicates), and whether the kinds differ (the OSDs are the replicates).
// Ratios are second over first, estimated from logarithms. A verdict needs an interval that lies
// wholly beyond the threshold, or wholly within it. Several metrics share the error level by Holm's
// procedure, after the primary metric, which is tested first at the full level. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/rank_interval.h"

namespace radosload::stats {

enum class Scope : std::uint8_t { these_osds, this_kind };

enum class Method : std::uint8_t {
  none,
  hodges_lehmann,  // interval: order statistics (Mann-Whitney)
  welch,           // assumes log-normal figures
  wilcoxon,        // pairs; interval: order statistics (Wilcoxon)
  paired_t,        // pairs; assumes log-normal ratios
};

enum class ArmVerdict : std::uint8_t { faster, slower, equivalent, inconclusive, not_assessable };

std::string_view scope_name(Scope scope);
std::string_view method_name(Method method);
std::string_view arm_verdict_name(ArmVerdict told);
inline bool assumes_normal(Method method) {
  return method == Method::welch || method == Method::paired_t;
}

// One figure of one OSD (pool, image) in one round; above 0.
struct Sample {
  std::string unit;
  std::string round;
  double value = 1;
  // Of a latency with lost operations: the true one is at least that. Such figures can only make
  // their arm slower: no other verdict is told.
  bool at_least = false;
};

// One metric of two arms. A unit and a round occur once in each arm. A unit in both arms was
// measured twice: the arms are then compared by pairs.
struct Question {
  std::string metric;
  bool lower_is_better = true;
  std::vector<Sample> base;
  std::vector<Sample> other;
};

struct ArmRules {
  double level = 0.95;       // of the interval, and of all verdicts of one scope together
  double threshold = 0.05;   // smaller changes do not matter
  std::string primary = {};  // a metric; may be empty
  std::uint64_t seed = 1;    // of permutations that are drawn
};

struct Finding {
  Scope scope = Scope::this_kind;
  Method method = Method::none;
  bool pairs = false;
  std::size_t n_a = 0;  // replicates of the first arm
  std::size_t n_b = 0;
  std::optional<double> ratio;
  std::optional<double> hodges_lehmann;  // that estimate, with every method
  std::optional<Bounds> interval;        // of the ratio, at ArmRules::level
  std::optional<double> p;               // of no difference at all, by permutation
  std::optional<double> level;           // that the verdict was decided at; nothing: not tested
  ArmVerdict told = ArmVerdict::not_assessable;
  std::string reason;  // of an inconclusive or missing verdict, or of one without a ratio
  // Replicates per arm that would probably be conclusive, if the ratio is as estimated.
  std::optional<std::size_t> needed;
  // The smallest change that this design calls faster or slower four times in five: 0.4 is 40 %.
  std::optional<double> smallest;
};

// Standard deviations of logarithms, over both arms.
struct Scatter {
  double between = 0;  // of units, without that of their rounds
  double within = 0;   // of the rounds of a unit
  double rounds = 1;   // of each unit, on average
  // The part of a unit's error that more rounds would shrink; only more units shrink the rest.
  double share_of_rounds() const;
};

struct Answer {
  std::string metric;
  bool lower_is_better = true;
  Finding these_osds;
  Finding this_kind;
  std::optional<Scatter> scatter;  // nothing without repeated rounds of several units
};

// The order of samples does not matter.
std::vector<Answer> judge(std::span<const Question> questions, const ArmRules& rules = {});

}  // namespace radosload::stats
