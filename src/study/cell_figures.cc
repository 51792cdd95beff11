#include "study/cell_figures.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "record/ranks.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

constexpr double ns_of_us = 1000;

void add_figure(std::vector<CellFigure>& figures, const std::string& metric, double value,
                bool lower, bool at_least = false) {
  if (std::isfinite(value) && value > 0) figures.push_back({metric, value, lower, at_least});
}

void add_latencies(std::vector<CellFigure>& figures, const std::string& name,
                   const record::Cell& cell) {
  const record::Histogram& latency = cell.latency.response();
  const auto ranks = record::response_ranks(cell);
  if (ranks.count() == 0) return;
  const record::Mean mean = record::mean_of(cell);
  add_figure(figures, name + " mean_us", mean.ns / ns_of_us, true, mean.at_least);
  // Of the answered ones alone it would be that of another load.
  if (!mean.at_least) {
    add_figure(figures, name + " deviation_us", latency.stddev() / ns_of_us, true);
  }
  const std::array quantiles = {std::pair{record::p50, " p50_us"},
                                std::pair{record::p99, " p99_us"},
                                std::pair{record::p999, " p99.9_us"}};
  for (const auto& [quantile, word] : quantiles) {
    const record::Ranked found = ranks.percentile(quantile);
    if (found.kind == record::Ranked::Kind::unknown) continue;
    add_figure(figures, name + word, static_cast<double>(found.ns) / ns_of_us, true,
               found.kind == record::Ranked::Kind::beyond);
  }
}

// One figure of an arm, unit and round: the geometric mean of what was measured in it.
class Means {
 public:
  void add(const std::string& arm, const std::string& unit, const std::string& round,
           const CellFigure& figure) {
    const auto key = std::tuple(arm, unit, round, figure.metric);
    auto found = m_sums.find(key);
    if (found == m_sums.end()) {
      found = m_sums.emplace(key, m_order.size()).first;
      m_order.push_back({.arm = arm,
                         .unit = unit,
                         .round = round,
                         .metric = figure.metric,
                         .value = 0,
                         .lower_is_better = figure.lower_is_better});
      m_logs.emplace_back();
    }
    m_order[found->second].value = figure.value;
    m_order[found->second].at_least |= figure.at_least;
    m_logs[found->second].push_back(std::log(figure.value));
  }
  std::vector<ArmFigure> take() && {
    for (std::size_t i = 0; i < m_order.size(); ++i) {
      const auto& logs = m_logs[i];
      if (logs.size() == 1) continue;  // it stays exactly what it was
      m_order[i].value = std::exp(std::accumulate(logs.begin(), logs.end(), 0.0) /
                                  static_cast<double>(logs.size()));
    }
    return std::move(m_order);
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> m_sums;
  std::vector<ArmFigure> m_order;
  std::vector<std::vector<double>> m_logs;
};

// The order of arms and phases is that of the plan, whichever was measured first: the first one is
// the base.
template <typename Names>
std::size_t place_among(const Names& all, const std::string& name) {
  std::size_t place = 0;
  for (const auto& one : all) {
    if (one.name == name) return place;
    ++place;
  }
  return place;
}

struct Counting {
  const StudyCell* cell;
  const CellTry* tried;
};

std::vector<Counting> what_counts(const StudyDocument& document, Counted counted) {
  std::vector<Counting> all;
  const auto states = cell_states(document);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!states[i].counts) continue;
    const CellTry& one = document.tries[*states[i].counts];
    const bool left_out = one.state == TryState::contaminated;
    if (left_out && counted == Counted::without_contaminated) continue;
    all.push_back({&document.cells[i], &one});
  }
  const auto& plan = document.plan;
  std::stable_sort(all.begin(), all.end(), [&](const Counting& a, const Counting& b) {
    const auto key = [&](const Counting& one) {
      return std::tuple(place_among(plan.phases, one.cell->phase),
                        place_among(plan.arms, one.cell->arm));
    };
    return key(a) < key(b);
  });
  return all;
}

StudyArms phases_as_arms(const std::vector<Counting>& counting, bool one_arm) {
  Means means;
  for (const auto& [cell, tried] : counting) {
    const std::string unit = one_arm ? cell->unit : cell->arm + " " + cell->unit;
    // Phases have rounds of their own: days may lie between them.
    const std::string round = fmt::format("{} {}", cell->phase, cell->round);
    for (const CellFigure& figure : tried->figures) means.add(cell->phase, unit, round, figure);
  }
  return {std::move(means).take()};
}

StudyArms arms_within(const std::vector<Counting>& counting, const std::string& phase) {
  Means means;
  for (const auto& [cell, tried] : counting) {
    if (cell->phase != phase) continue;
    const std::string arm = phase.empty() ? cell->arm : fmt::format("{} ({})", cell->arm, phase);
    for (const CellFigure& figure : tried->figures) {
      means.add(arm, cell->unit, std::to_string(cell->round), figure);
    }
  }
  return {std::move(means).take()};
}

}  // namespace

std::vector<CellFigure> figures_of_cell(const record::RunRecord& run, const std::string& name) {
  std::vector<CellFigure> figures;
  add_figure(figures, name + " IOPS", record::iops(run, record::total_of(run.kinds)), false);
  const bool several = run.kinds.size() > 1;
  for (const record::Cell& cell : run.kinds) {
    const std::string of =
        several ? fmt::format("{} {}", name, op_kind_name(cell.kind)) : std::string(name);
    if (several) add_figure(figures, of + " IOPS", record::iops(run, cell), false);
    add_latencies(figures, of, cell);
  }
  if (run.energy) {
    const auto gross = record::ops_per_joule(*run.energy);
    const auto net = record::net_ops_per_joule(*run.energy);
    if (gross) add_figure(figures, name + " iops_per_w", gross->value, false);
    if (net) add_figure(figures, name + " net_iops_per_w", net->value, false);
  }
  return figures;
}

TryState state_of_run(const record::RunRecord& run, std::string& reason) {
  if (!run.grade.reasons.empty()) reason = run.grade.reasons.front();
  if (run.grade.value == record::GradeValue::void_run) return TryState::void_cell;
  if (run.status != record::RunStatus::complete) {
    reason = fmt::format("the run is {}", record::status_name(run.status));
    return TryState::void_cell;
  }
  if (run.grade.value == record::GradeValue::contaminated) return TryState::contaminated;
  reason.clear();
  return TryState::done;
}

std::vector<StudyArms> arms_of_study(const StudyDocument& document, Counted counted) {
  const auto counting = what_counts(document, counted);
  const bool one_arm = document.plan.arms.size() == 1;
  if (document.plan.phases.empty()) return {arms_within(counting, "")};
  std::vector<StudyArms> all = {phases_as_arms(counting, one_arm)};
  if (one_arm) return all;
  for (const Phase& phase : document.plan.phases) all.push_back(arms_within(counting, phase.name));
  return all;
}

namespace {

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

// A person leaves out the unit of a metric and, where there is one load, its name.
bool means_metric(const std::string& wanted, const std::string& metric) {
  const std::string word = lowered(wanted);
  const std::string full = lowered(metric);
  const auto same = [&](const std::string& one) {
    return one == word || one == word + "_us" || one == word + "_s";
  };
  const std::size_t space = full.find(' ');
  return same(full) || (space != std::string::npos && same(full.substr(space + 1)));
}

}  // namespace

std::string full_metric_name(const std::string& wanted, const std::vector<ArmFigure>& figures) {
  for (const ArmFigure& figure : figures) {
    if (figure.metric == wanted) return wanted;
  }
  std::string found;
  for (const ArmFigure& figure : figures) {
    if (figure.metric == found || !means_metric(wanted, figure.metric)) continue;
    if (!found.empty()) return wanted;  // of two loads
    found = figure.metric;
  }
  return found.empty() ? wanted : found;
}

stats::ArmRules rules_of_study(const StudyDocument& document) {
  const StudyPlan& plan = document.plan;
  stats::ArmRules rules{.level = plan.level, .threshold = plan.threshold, .primary = plan.primary};
  if (plan.primary.empty()) return rules;
  for (const StudyArms& arms : arms_of_study(document, Counted::all)) {
    rules.primary = full_metric_name(plan.primary, arms.figures);
    if (rules.primary != plan.primary) break;
  }
  return rules;
}

Result<StudyVerdicts> judge_study(const StudyDocument& document, Counted counted) {
  StudyVerdicts all{.rules = rules_of_study(document), .figures = {}, .contests = {}};
  std::optional<Error> first;
  for (StudyArms& arms : arms_of_study(document, counted)) {
    auto contests = judge_figures(arms.figures, all.rules);
    if (!contests) {
      if (!first) first = std::move(contests).error();
      continue;
    }
    all.contests.insert(all.contests.end(), contests->begin(), contests->end());
    all.figures.insert(all.figures.end(), arms.figures.begin(), arms.figures.end());
  }
  if (all.contests.empty() && first) return fail(*std::move(first));
  return all;
}

StudyTally tally_of(const StudyDocument& document) {
  StudyTally tally{.cells = document.cells.size()};
  for (const CellState& state : cell_states(document)) {
    if (state.counts) {
      ++tally.measured;
      const bool dirty = document.tries[*state.counts].state == TryState::contaminated;
      if (dirty) ++tally.contaminated;
    } else if (state.settled()) {
      ++tally.given_up;
    }
  }
  tally.repeats = document.tries.size() - tally.measured;
  return tally;
}

}  // namespace radosload::study
