#include "study/outlook.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "radosload/printable.h"

#include "study/cell_figures.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

struct Match {
  std::string base;
  std::string other;
  stats::Trials trials;
};

std::size_t rounds_of_plan(const StudyDocument& document) {
  std::set<std::uint32_t> rounds;
  for (const StudyCell& cell : document.cells) rounds.insert(cell.round);
  return rounds.size();
}

// The phases are compared where there are any, each unit with itself; otherwise the arms.
std::vector<Match> matches_of(const StudyDocument& document) {
  std::vector<Match> matches;
  const std::size_t rounds = rounds_of_plan(document);
  const auto& phases = document.plan.phases;
  std::size_t all_units = 0;
  for (const ArmUnits& arm : document.units) all_units += arm.units.size();
  for (std::size_t i = 1; i < phases.size(); ++i) {
    matches.push_back({.base = phases.front().name,
                       .other = phases[i].name,
                       .trials = {.units_a = all_units,
                                  .units_b = all_units,
                                  .units_paired = true,
                                  .rounds = rounds,
                                  .rounds_paired = false}});
  }
  if (!phases.empty()) return matches;
  for (std::size_t i = 1; i < document.units.size(); ++i) {
    const ArmUnits& base = document.units.front();
    const ArmUnits& other = document.units[i];
    const auto both = static_cast<std::size_t>(
        std::count_if(base.units.begin(), base.units.end(), [&](const std::string& unit) {
          return std::find(other.units.begin(), other.units.end(), unit) != other.units.end();
        }));
    matches.push_back({.base = base.arm,
                       .other = other.arm,
                       .trials = {.units_a = both > 0 ? both : base.units.size(),
                                  .units_b = both > 0 ? both : other.units.size(),
                                  .units_paired = both > 0,
                                  .rounds = rounds,
                                  .rounds_paired = true}});
  }
  return matches;
}

stats::Spread spread_by(const std::vector<ArmFigure>& figures, const std::string& metric) {
  std::map<std::string, std::vector<stats::Sample>> arms;
  for (const ArmFigure& figure : figures) {
    if (figure.metric != metric) continue;
    arms[figure.arm].push_back({figure.unit, figure.round, figure.value});
  }
  std::vector<std::vector<stats::Sample>> samples;
  samples.reserve(arms.size());
  for (auto& [name, of_arm] : arms) samples.push_back(std::move(of_arm));
  return stats::spread_of(samples);
}

std::string against_text(const stats::Foresight& one) {
  const char* const what = one.scope == stats::Scope::these_osds ? "rounds" : "units";
  return one.pairs ? fmt::format("{} pairs of {}", one.n_a, what)
                   : fmt::format("{} against {} {}", one.n_a, one.n_b, what);
}

class Foreseeing {
 public:
  Foreseeing(const StudyDocument& document, const std::vector<ArmFigure>& figures,
             std::size_t least_metrics)
      : m_plan(document.plan), m_figures(figures), m_matches(matches_of(document)) {
    const auto metrics = metrics_in(figures);
    m_outlook.metrics = std::max(metrics.size(), least_metrics);
    if (!m_plan.primary.empty()) {
      m_metrics = {full_metric_name(m_plan.primary, figures)};
    } else if (metrics.empty()) {
      m_metrics = {""};
    } else {
      m_metrics = metrics;
    }
  }

  Outlook outlook() && {
    const std::size_t sharing =
        m_matches.size() * (m_plan.primary.empty() ? m_outlook.metrics : std::size_t{1});
    const double level = stats::level_of_first(m_plan.level, sharing);
    for (const Match& match : m_matches) {
      for (const std::string& metric : m_metrics) add(match, metric, level);
    }
    for (const Match& match : m_matches) {
      for (const auto scope : {stats::Scope::these_osds, stats::Scope::this_kind}) {
        add_never(match, scope, level, sharing);
      }
    }
    return std::move(m_outlook);
  }

 private:
  void add(const Match& match, const std::string& metric, double level) {
    const auto spread = spread_by(m_figures, metric);
    stats::Trials rounds = match.trials;
    rounds.rounds *= 2;
    stats::Trials units = match.trials;
    units.units_a *= 2;
    units.units_b *= 2;
    for (const auto scope : {stats::Scope::these_osds, stats::Scope::this_kind}) {
      const auto with = [&](const stats::Trials& trials) {
        return stats::foresee(trials, scope, spread, level, m_plan.threshold);
      };
      m_outlook.comparisons.push_back({.base = match.base,
                                       .other = match.other,
                                       .metric = metric,
                                       .now = with(match.trials),
                                       .more_rounds = with(rounds),
                                       .more_units = with(units)});
    }
  }

  void say_never(const Match& match, std::string text) {
    if (m_matches.size() > 1) text = fmt::format("{} and {}: {}", match.base, match.other, text);
    m_outlook.never.push_back(std::move(text));
  }

  void add_never(const Match& match, stats::Scope scope, double level, std::size_t sharing) {
    const auto one = stats::foresee(match.trials, scope, stats::Spread{}, level, m_plan.threshold);
    if (one.method == stats::Method::none) {
      say_never(match, too_few_text(match, one));
    } else if (!one.possible) {
      say_never(match, fmt::format("scope {} can never be conclusive: {} reach p = {:.2g} at best, "
                                   "and {} verdicts that share the level need {:.2g}; {}",
                                   stats::scope_name(scope), against_text(one), one.least_p,
                                   sharing, 1 - level, advice(one, m_plan.primary.empty())));
    } else if (stats::assumes_normal(one.method)) {
      say_never(match, fmt::format("scope {} needs an assumption (log-normal figures) with {}; "
                                   "with {}{} it does not",
                                   stats::scope_name(scope), against_text(one), one.pairs ? 6 : 4,
                                   one.pairs ? "" : " in each arm"));
    }
    if (one.possible) add_others(match, one);
  }

  // After the primary metric the others share the level.
  void add_others(const Match& match, const stats::Foresight& primary) {
    if (m_plan.primary.empty() || m_outlook.metrics < 2) return;
    const std::size_t sharing = (m_outlook.metrics - 1) * m_matches.size();
    const double level = stats::level_of_first(m_plan.level, sharing);
    const auto one =
        stats::foresee(match.trials, primary.scope, stats::Spread{}, level, m_plan.threshold);
    if (one.possible) return;
    say_never(match,
              fmt::format("in scope {} only the primary metric can have a verdict: {} reach p = "
                          "{:.2g} at best, and the other {} verdicts share the level and need "
                          "{:.2g}; {}",
                          stats::scope_name(primary.scope), against_text(one), one.least_p, sharing,
                          1 - level, advice(one, false)));
  }

  std::string too_few_text(const Match& match, const stats::Foresight& one) const {
    if (one.scope == stats::Scope::these_osds) {
      return "scope these-osds is not assessable with 1 round; give 5 or more";
    }
    return fmt::format(
        "scope this-kind is not assessable: an arm has 1 {}, and 2 are needed; these very ones can "
        "be compared",
        match.trials.units_paired ? "unit" : "OSD, pool or image");
  }

  static std::string advice(const stats::Foresight& one, bool name_primary) {
    const auto enough = stats::enough_for(one.level, one.pairs);
    const char* const what = one.scope == stats::Scope::these_osds ? "rounds" : "units";
    std::string text = name_primary ? "name a primary metric" : "";
    if (!enough) return name_primary ? text : "lower the level";
    if (name_primary) text += ", or ";
    return text + fmt::format("take {} {}{}", *enough, what, one.pairs ? "" : " in each arm");
  }

  const StudyPlan& m_plan;
  const std::vector<ArmFigure>& m_figures;
  std::vector<Match> m_matches;
  std::vector<std::string> m_metrics;
  Outlook m_outlook;
};

bool is_of_load(const std::string& metric, const std::vector<std::string>& loads) {
  return std::any_of(loads.begin(), loads.end(),
                     [&](const std::string& load) { return metric.starts_with(load + " "); });
}

}  // namespace

EarlierFigures figures_so_far(const StudyDocument& document,
                              const std::vector<std::string>& loads) {
  EarlierFigures earlier{.from = "study " + document.id, .figures = {}};
  const auto states = cell_states(document);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!states[i].counts) continue;
    const StudyCell& cell = document.cells[i];
    for (const CellFigure& figure : document.tries[*states[i].counts].figures) {
      if (!is_of_load(figure.metric, loads)) continue;
      // Hours of a probe hold several cells, which are then distinguished by their numbers.
      const std::string round =
          document.plan.probe ? std::to_string(i) : std::to_string(cell.round);
      earlier.figures.push_back({.arm = cell.phase + "/" + cell.arm,
                                 .unit = cell.unit,
                                 .round = round,
                                 .metric = figure.metric,
                                 .value = figure.value,
                                 .lower_is_better = figure.lower_is_better,
                                 .at_least = figure.at_least});
    }
  }
  return earlier;
}

EarlierFigures figures_of_saved(
    const std::vector<std::pair<std::string, record::RunRecord>>& runs) {
  EarlierFigures earlier{
      .from = fmt::format("{} saved run{}", runs.size(), runs.size() == 1 ? "" : "s"),
      .figures = {}};
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> rounds;
  for (const auto& one : runs) {
    const std::string& load = one.first;
    const record::RunRecord& run = one.second;
    const RunPlan& plan = run.header.plan;
    const auto add = [&](const std::string& unit, const std::vector<record::Cell>& kinds) {
      record::RunRecord of_unit = run;
      of_unit.kinds = kinds;
      const std::string round = std::to_string(++rounds[{load, plan.pool, unit}]);
      for (CellFigure& figure : figures_of_cell(of_unit, load)) {
        earlier.figures.push_back({.arm = plan.pool,
                                   .unit = unit,
                                   .round = round,
                                   .metric = std::move(figure.metric),
                                   .value = figure.value,
                                   .lower_is_better = figure.lower_is_better,
                                   .at_least = figure.at_least});
      }
    };
    if (!plan.pins.any()) {
      add("whole", run.kinds);
      continue;
    }
    std::map<std::int32_t, std::vector<record::Cell>> osds;
    for (const record::Cell& cell : run.osds) {
      if (cell.osd != no_osd) osds[cell.osd].push_back(cell);
    }
    for (const auto& [osd, cells] : osds) add(fmt::format("osd.{}", osd), cells);
  }
  return earlier;
}

Result<std::size_t> cells_of_pilot(const StudyDocument& document) {
  constexpr std::uint32_t rounds = 2;
  const auto refuse = [](std::string reason) {
    return fail({.attempt = "measure a pilot",
                 .reason = std::move(reason),
                 .hint = "leave out --pilot",
                 .exit = Exit::usage});
  };
  if (document.plan.probe) return refuse("a probe has no rounds that could come first");
  const auto& cells = document.cells;
  const auto past = std::find_if(cells.begin(), cells.end(), [&](const StudyCell& cell) {
    return cell.round > rounds || cell.phase != cells.front().phase;
  });
  if (past == cells.end()) {
    return refuse(fmt::format("the study has {} round{}, and a pilot is {}", document.plan.rounds,
                              document.plan.rounds == 1 ? "" : "s", rounds));
  }
  return static_cast<std::size_t>(past - cells.begin());
}

Outlook outlook_of(const StudyDocument& document, const std::optional<EarlierFigures>& earlier,
                   std::size_t least_metrics) {
  static const std::vector<ArmFigure> none;
  Outlook outlook =
      Foreseeing(document, earlier ? earlier->figures : none, least_metrics).outlook();
  if (earlier) outlook.spread_of = printable(earlier->from);
  return outlook;
}

}  // namespace radosload::study
