#include "study/run_figures.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "radosload/printable.h"

#include "base/suggest.h"
#include "plan/differences.h"
#include "plan/names.h"
#include "record/ranks.h"
#include "study/fairness.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::study {

using record::Cell;
using record::RunRecord;

namespace {

constexpr double ns_in_us = 1000;

struct RunFigure {
  double value = 0;
  bool at_least = false;
};

struct RunMetric {
  std::string_view name;
  bool lower_is_better;
  std::optional<RunFigure> (*of)(const RunRecord&, const Cell&);
};

std::optional<RunFigure> percentile_us(const Cell& cell, record::Quantile quantile) {
  const record::Ranked found = record::response_ranks(cell).percentile(quantile);
  if (found.kind == record::Ranked::Kind::unknown) return std::nullopt;
  return RunFigure{.value = static_cast<double>(found.ns) / ns_in_us,
                   .at_least = found.kind == record::Ranked::Kind::beyond};
}

constexpr std::array<RunMetric, 5> run_metrics = {{
    {"iops", false,
     [](const RunRecord& run, const Cell& cell) -> std::optional<RunFigure> {
       return RunFigure{.value = record::iops(run, cell)};
     }},
    {"mean_us", true,
     [](const RunRecord&, const Cell& cell) -> std::optional<RunFigure> {
       const record::Mean mean = record::mean_of(cell);
       return RunFigure{.value = mean.ns / ns_in_us, .at_least = mean.at_least};
     }},
    {"p50_us", true,
     [](const RunRecord&, const Cell& cell) { return percentile_us(cell, record::p50); }},
    {"p99_us", true,
     [](const RunRecord&, const Cell& cell) { return percentile_us(cell, record::p99); }},
    {"p99.9_us", true,
     [](const RunRecord&, const Cell& cell) { return percentile_us(cell, record::p999); }},
}};

std::string osd_name(std::int32_t osd) {
  return fmt::format("osd.{}", osd);
}

std::string place_of(const RunRecord& run) {
  const RunPlan& plan = run.header.plan;
  if (plan.drive.any()) return "drive " + plan.drive.path;
  if (plan.pool.empty() && !plan.files.any())
    return fmt::format("target {}", plan::name_of(plan.target));
  if (plan.files.any()) return "file system " + plan.files.system;
  if (plan.target != TargetKind::rbd) return "pool " + plan.pool;
  if (plan.images.names.empty()) return fmt::format("new images in pool {}", plan.pool);
  return fmt::format("image {} in pool {}", fmt::join(plan.images.names, ", "), plan.pool);
}

// Numbers the rounds of a unit in the order of its runs. Runs of two arms are not rounds of each
// other, so the arm is part of the name.
class RunFigures {
 public:
  void add(const std::string& arm, const std::string& unit, const RunRecord& run,
           const std::vector<Cell>& cells) {
    const std::string round = fmt::format("{} {}", arm, ++m_rounds[{arm, unit}]);
    for (const Cell& cell : cells) {
      for (const RunMetric& metric : run_metrics) {
        const auto value = metric.of(run, cell);
        if (!value || value->value <= 0) continue;
        m_figures.push_back({.arm = arm,
                             .unit = unit,
                             .round = round,
                             .metric = fmt::format("{} {}", op_kind_name(cell.kind), metric.name),
                             .value = value->value,
                             .lower_is_better = metric.lower_is_better,
                             .at_least = value->at_least});
      }
    }
  }
  // Of all operations of the run together.
  void add_energy(const std::string& arm, const std::string& unit, const RunRecord& run) {
    if (!run.energy) return;
    const record::Energy& energy = *run.energy;
    // The round is that of the run's other figures.
    const std::string round = fmt::format("{} {}", arm, m_rounds[{arm, unit}]);
    for (const auto& [name, found] : {std::pair{"iops_per_w", record::ops_per_joule(energy)},
                                      {"net_iops_per_w", record::net_ops_per_joule(energy)}}) {
      if (!found) continue;
      m_figures.push_back({.arm = arm,
                           .unit = unit,
                           .round = round,
                           .metric = fmt::format("all {}", name),
                           .value = found->value,
                           .lower_is_better = false});
    }
  }
  // Without pins, which operations an OSD serves is chance, so the run is the unit.
  void add_run(const std::string& arm, const RunRecord& run) {
    if (!run.header.plan.pins.any()) {
      add(arm, place_of(run), run, run.kinds);
      add_energy(arm, place_of(run), run);
      return;
    }
    for (const auto& [osd, cells] : by_osd(run)) add(arm, osd_name(osd), run, cells);
  }
  static std::map<std::int32_t, std::vector<Cell>> by_osd(const RunRecord& run) {
    std::map<std::int32_t, std::vector<Cell>> osds;
    for (const Cell& cell : run.osds) {
      if (cell.osd != no_osd) osds[cell.osd].push_back(cell);
    }
    return osds;
  }
  std::vector<ArmFigure> take() { return std::move(m_figures); }

 private:
  std::map<std::pair<std::string, std::string>, std::size_t> m_rounds;
  std::vector<ArmFigure> m_figures;
};

// By arm, and within it the oldest first.
std::vector<const ArmRun*> in_order(const std::vector<ArmRun>& runs) {
  std::vector<const ArmRun*> order;
  order.reserve(runs.size());
  for (const ArmRun& run : runs) order.push_back(&run);
  std::stable_sort(order.begin(), order.end(), [](const ArmRun* a, const ArmRun* b) {
    return std::tie(a->arm, a->record.header.started, a->record.header.run_id) <
           std::tie(b->arm, b->record.header.started, b->record.header.run_id);
  });
  return order;
}

}  // namespace

Result<DividedBy> divided_by(const std::string& text) {
  constexpr std::string_view label = "label=";
  constexpr std::array<std::string_view, 4> properties = {"pool", "osd", "kind", "label=KEY"};
  if (text == "pool") return DividedBy{.what = DividedBy::What::pool, .label = {}};
  if (text == "osd") return DividedBy{.what = DividedBy::What::osd, .label = {}};
  if (text == "kind") return DividedBy{.what = DividedBy::What::kind, .label = {}};
  if (text.starts_with(label) && text.size() > label.size()) {
    return DividedBy{.what = DividedBy::What::label, .label = text.substr(label.size())};
  }
  return fail({.attempt = "divide runs by",
               .subject = printable(text),
               .reason = "it is not a property of runs",
               .hint = values_hint(text, properties),
               .exit = Exit::usage});
}

namespace {

// "db"; empty: the record does not tell.
std::string kind_in(const RunRecord& run, std::int32_t osd) {
  const auto found =
      std::find_if(run.counters.begin(), run.counters.end(),
                   [osd](const record::OsdWindow& window) { return window.osd == osd; });
  return found == run.counters.end() ? "" : found->kind;
}

constexpr std::string_view kind_not_told =
    "its record does not tell the kind of osd.{}, which a run with --observer-id notes";

}  // namespace

std::string arm_of(const RunRecord& run, const DividedBy& division) {
  const RunPlan& plan = run.header.plan;
  if (division.what == DividedBy::What::pool) return plan.pool;
  if (division.what == DividedBy::What::osd || division.what == DividedBy::What::kind) return {};
  const auto found = plan.labels.find(division.label);
  return found == plan.labels.end() ? "" : found->second;
}

std::vector<ArmFigure> figures_by(const std::vector<ArmRun>& runs, const DividedBy& division,
                                  std::vector<std::string>& warnings) {
  RunFigures figures;
  for (const ArmRun* const one : in_order(runs)) {
    const RunRecord& run = one->record;
    const RunPlan& plan = run.header.plan;
    const auto left_out = [&](const std::string& why) {
      warnings.push_back(fmt::format("{} is left out: {}", run.header.run_id, why));
    };
    if (division.what == DividedBy::What::label) {
      const auto found = plan.labels.find(division.label);
      if (found == plan.labels.end()) {
        left_out(fmt::format("it has no label {}", division.label));
      } else {
        figures.add_run(found->second, run);
      }
    } else if (division.what == DividedBy::What::pool) {
      plan.pool.empty() ? left_out("it has no pool") : figures.add_run(plan.pool, run);
    } else if (!plan.pins.any()) {
      left_out("no OSDs were pinned");
    } else if (division.what == DividedBy::What::osd) {
      for (const auto& [osd, cells] : RunFigures::by_osd(run)) {
        figures.add(osd_name(osd), osd_name(osd), run, cells);
      }
    } else {
      for (const auto& [osd, cells] : RunFigures::by_osd(run)) {
        const std::string kind = kind_in(run, osd);
        kind.empty() ? left_out(fmt::format(kind_not_told, osd))
                     : figures.add(kind, osd_name(osd), run, cells);
      }
    }
  }
  return figures.take();
}

namespace {

bool in_several_arms(const StudyDocument& document, const std::string& unit) {
  return std::count_if(document.units.begin(), document.units.end(), [&](const ArmUnits& arm) {
           return std::find(arm.units.begin(), arm.units.end(), unit) != arm.units.end();
         }) > 1;
}

// The arm of a cell, by its run; empty, with the reason, if it has none.
std::string arm_of_cell(const StudyCell& cell, const RunRecord& run, const DividedBy& division,
                        std::string& why) {
  const auto osd = osd_of_unit(cell.unit);
  switch (division.what) {
    case DividedBy::What::osd:
      why = "it is not of one OSD";
      return osd ? cell.unit : "";
    case DividedBy::What::kind:
      why = osd ? fmt::format(kind_not_told, *osd) : "it is not of one OSD";
      return osd ? kind_in(run, *osd) : "";
    case DividedBy::What::pool:
      why = "it has no pool";
      break;
    case DividedBy::What::label:
      why = fmt::format("it has no label {}", division.label);
      break;
  }
  return arm_of(run, division);
}

}  // namespace

std::vector<ArmFigure> figures_of_study_by(const StudyDocument& document,
                                           const std::map<std::string, RunRecord>& runs,
                                           const DividedBy& division,
                                           std::vector<std::string>& warnings) {
  std::vector<ArmFigure> figures;
  const bool by_arm = division.what == DividedBy::What::label && division.label == "arm";
  const auto states = cell_states(document);
  std::set<std::string> said;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!states[i].counts) continue;
    const StudyCell& cell = document.cells[i];
    const CellTry& tried = document.tries[*states[i].counts];
    const auto run = tried.runs.empty() ? runs.end() : runs.find(tried.runs.front());
    std::string why = "its run is not in the store";
    const std::string arm = run == runs.end() ? "" : arm_of_cell(cell, run->second, division, why);
    if (arm.empty()) {
      if (said.insert(why).second)
        warnings.push_back(fmt::format("cell {} is left out: {}", i + 1, why));
      continue;
    }
    const std::string round = cell.phase.empty() ? std::to_string(cell.round)
                                                 : fmt::format("{} {}", cell.phase, cell.round);
    // An OSD that two arms of the study measure in different pools is two units of one new arm.
    const bool several = !by_arm && in_several_arms(document, cell.unit);
    const std::string unit = several ? cell.arm + " " + cell.unit : cell.unit;
    for (const CellFigure& figure : tried.figures) {
      figures.push_back({.arm = arm,
                         .unit = unit,
                         .round = round,
                         .metric = figure.metric,
                         .value = figure.value,
                         .lower_is_better = figure.lower_is_better,
                         .at_least = figure.at_least});
    }
  }
  return figures;
}

std::vector<ArmFigure> figures_of_runs(const std::vector<ArmRun>& runs) {
  RunFigures figures;
  for (const ArmRun* const run : in_order(runs)) figures.add_run(run->arm, run->record);
  return figures.take();
}

std::vector<std::string> unlike_plans(const std::vector<ArmRun>& runs) {
  constexpr std::array<std::string_view, 5> places = {"pool", "image", "data-pool", "osd", "pin"};
  std::vector<const RunPlan*> plans;
  plans.reserve(runs.size());
  for (const ArmRun& run : runs) plans.push_back(&run.record.header.plan);
  std::vector<std::string> found;
  for (const plan::Difference& one : plan::differences(plans)) {
    if (std::find(places.begin(), places.end(), one.option) != places.end()) continue;
    const std::set<std::string> values(one.values.begin(), one.values.end());
    found.push_back(fmt::format("different {}: {}", one.option, fmt::join(values, " / ")));
  }
  return found;
}

}  // namespace radosload::study
