// Judges new runs against a baseline, with the statistics of arms, and says beforehand what such a
// check can find. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "stats/foresight.h"
#include "study/arm_figures.h"
#include "study/baseline_groups.h"

namespace radosload::study {

// What a check with as many new runs as the group has can find by one metric in one scope.
struct BaselineForesight {
  std::string metric;
  stats::Foresight found;
  std::size_t sharing = 1;            // so many metrics share the level
  std::optional<std::size_t> enough;  // replicates in each arm that need no assumption
};

// A group with the rules that hold for it.
struct GroupOutlook {
  BaselineGroup group;
  stats::ArmRules rules;
  // By the scatter of its runs: of the primary metric, or of each one if there is none.
  std::vector<BaselineForesight> could_find;
  // The other metrics share the level after the primary one has a verdict. So many runs in each arm
  // are needed before they can have one; nothing: there are enough, or no other metrics.
  std::optional<std::size_t> needed_by_others;
};
// Of every load of the baseline. An Error when one of them has no figures of the primary metric.
Result<std::vector<GroupOutlook>> outlook_of_baseline(const record::Baseline& baseline);

// What the verdicts on a load say together.
enum class Outcome : std::uint8_t {
  none,  // there is nothing to compare
  slower,
  not_slower,
  inconclusive,
};
std::string_view outcome_name(Outcome outcome);

struct GroupJudged {
  std::vector<ArmFigure> figures;
  std::vector<Contest> contests;
  std::vector<std::string> unlike;  // options in which the plans differ
  Outcome outcome = Outcome::none;
};
// The arms are "baseline" and "now". An Error when an arm has no figures.
Result<GroupJudged> judge_group(const GroupOutlook& outlook,
                                const std::vector<record::RunRecord>& now);

// "slower" when any verdict is; "inconclusive" when the primary metric (without one, any metric)
// has no verdict.
Outcome outcome_of(const std::vector<Contest>& contests, const stats::ArmRules& rules);
// Of all loads: the worst one.
Outcome worst_of(const std::vector<Outcome>& outcomes);

}  // namespace radosload::study
