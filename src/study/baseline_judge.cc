#include "study/baseline_judge.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "stats/replicates.h"
#include "study/run_figures.h"

namespace radosload::study {

namespace {

constexpr const char* before = "baseline";
constexpr const char* after = "now";

void add_arm(const std::string& arm, const std::vector<record::RunRecord>& runs,
             std::vector<ArmRun>& arms) {
  for (const record::RunRecord& run : runs) arms.push_back({.arm = arm, .record = run});
}

std::vector<ArmFigure> figures_of_group(const BaselineGroup& group) {
  std::vector<ArmRun> runs;
  add_arm(before, group.runs, runs);
  return figures_of_runs(runs);
}

// Rounds are not paired, because those of the two arms are weeks apart.
std::vector<BaselineForesight> foresee_metric(const std::vector<ArmFigure>& figures,
                                              const std::string& metric, std::size_t repeats,
                                              const stats::ArmRules& rules, std::size_t sharing) {
  std::vector<std::vector<stats::Sample>> arm(1);
  std::set<std::string> units;
  for (const ArmFigure& figure : figures) {
    if (figure.metric != metric) continue;
    arm.front().push_back({.unit = figure.unit, .round = figure.round, .value = figure.value});
    units.insert(figure.unit);
  }
  const stats::Trials trials{.units_a = units.size(),
                             .units_b = units.size(),
                             .units_paired = true,
                             .rounds = repeats,
                             .rounds_paired = false};
  const stats::Spread spread = stats::spread_of(arm);
  const double level = stats::level_of_first(rules.level, sharing);
  std::vector<BaselineForesight> all;
  for (const auto scope : {stats::Scope::these_osds, stats::Scope::this_kind}) {
    // A pool, image or single OSD is one unit, and nothing can be said of its kind.
    if (scope == stats::Scope::this_kind && units.size() < 2) continue;
    const auto found = stats::foresee(trials, scope, spread, level, rules.threshold);
    all.push_back({.metric = metric,
                   .found = found,
                   .sharing = sharing,
                   .enough = stats::enough_for(level, found.pairs)});
  }
  return all;
}

std::optional<std::size_t> needed_by_others(const std::vector<ArmFigure>& figures,
                                            std::size_t repeats, const stats::ArmRules& rules) {
  const auto metrics = metrics_in(figures);
  if (rules.primary.empty() || metrics.size() < 2) return std::nullopt;
  const auto all = foresee_metric(figures, rules.primary, repeats, rules, metrics.size() - 1);
  const bool possible = std::any_of(
      all.begin(), all.end(), [](const BaselineForesight& one) { return one.found.possible; });
  return possible || all.empty() ? std::nullopt : all.front().enough;
}

}  // namespace

Result<std::vector<GroupOutlook>> outlook_of_baseline(const record::Baseline& baseline) {
  auto groups = baseline_groups(baseline.runs);
  const std::size_t count = groups.size();
  std::vector<GroupOutlook> all;
  for (BaselineGroup& group : groups) {
    GroupOutlook outlook;
    RADOSLOAD_ASSIGN(outlook.rules, rules_of_group(baseline, group, count));
    const auto figures = figures_of_group(group);
    auto metrics = metrics_in(figures);
    if (!outlook.rules.primary.empty()) metrics = {outlook.rules.primary};
    for (const std::string& metric : metrics) {
      auto found =
          foresee_metric(figures, metric, group.runs.size(), outlook.rules, metrics.size());
      std::move(found.begin(), found.end(), std::back_inserter(outlook.could_find));
    }
    outlook.needed_by_others = needed_by_others(figures, group.runs.size(), outlook.rules);
    outlook.group = std::move(group);
    all.push_back(std::move(outlook));
  }
  return all;
}

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::none:
      return "no verdict";
    case Outcome::slower:
      return "slower";
    case Outcome::not_slower:
      return "not slower";
    case Outcome::inconclusive:
      return "inconclusive";
  }
  return "no verdict";
}

Result<GroupJudged> judge_group(const GroupOutlook& outlook,
                                const std::vector<record::RunRecord>& now) {
  std::vector<ArmRun> runs;
  add_arm(before, outlook.group.runs, runs);
  add_arm(after, now, runs);
  GroupJudged judged;
  judged.figures = figures_of_runs(runs);
  judged.unlike = unlike_plans(runs);
  RADOSLOAD_ASSIGN(judged.contests, judge_figures(judged.figures, outlook.rules));
  judged.outcome = outcome_of(judged.contests, outlook.rules);
  return judged;
}

Outcome outcome_of(const std::vector<Contest>& contests, const stats::ArmRules& rules) {
  using stats::ArmVerdict;
  bool open = contests.empty();
  for (const Contest& contest : contests) {
    const stats::Answer& answer = contest.answer;
    const auto either = [&](ArmVerdict told) {
      return answer.these_osds.told == told || answer.this_kind.told == told;
    };
    if (either(ArmVerdict::slower)) return Outcome::slower;
    const bool counts = rules.primary.empty() || answer.metric == rules.primary;
    const bool told = either(ArmVerdict::faster) || either(ArmVerdict::equivalent);
    open = open || (counts && !told);
  }
  return open ? Outcome::inconclusive : Outcome::not_slower;
}

Outcome worst_of(const std::vector<Outcome>& outcomes) {
  for (const Outcome one : {Outcome::slower, Outcome::none, Outcome::inconclusive}) {
    if (std::find(outcomes.begin(), outcomes.end(), one) != outcomes.end()) return one;
  }
  return outcomes.empty() ? Outcome::none : Outcome::not_slower;
}

}  // namespace radosload::study
