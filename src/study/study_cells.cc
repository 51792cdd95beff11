#include "study/study_cells.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "plan/options.h"
#include "record/store.h"
#include "run/measure.h"
#include "run/series_runner.h"
#include "study/cell_figures.h"
#include "study/fairness.h"
#include "study/leftovers.h"
#include "study/step_listener.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

// Shows a message that is the same for every set of objects once only.
class OnceListener final : public record::ProgressListener {
 public:
  explicit OnceListener(record::ProgressListener& listener) : m_listener(listener) {}
  void progress(const record::Progress& now) override { m_listener.progress(now); }
  void note(const std::string& text) override {
    if (m_said.insert(text).second) m_listener.note(text);
  }

 private:
  record::ProgressListener& m_listener;
  std::set<std::string> m_said;
};

std::string cell_text(const StudyDocument& document, std::size_t number) {
  const StudyCell& cell = document.cells[number];
  return fmt::format("cell {} of {}: {}round {}, {}, {}, {}", number + 1, document.cells.size(),
                     cell.phase.empty() ? "" : cell.phase + ", ", cell.round, cell.arm, cell.unit,
                     document.plan.works[cell.work].name);
}

Measured ends_with(Error error) {
  const bool interrupted = error.exit == Exit::interrupted;
  Measured measured{.state = interrupted ? TryState::interrupted : TryState::failed,
                    .reason = one_line(error),
                    .runs = {},
                    .figures = {},
                    .ends_study = {}};
  if (!interrupted) measured.ends_study = std::move(error);
  return measured;
}

std::string_view why_nothing_was_measured(const record::RunRecord& record) {
  if (record.ended_by == record::EndedBy::exhausted) {
    return "its objects were used up in the warm-up; give the pattern more of them, as with "
           "objects=100000";
  }
  return "no operation ended in its time; measure longer, as with --set options.time=30s";
}

void add_time_figure(std::vector<CellFigure>& figures, const std::string& metric,
                     const std::optional<Time>& time) {
  if (time && *time > Time(0)) figures.push_back({metric, seconds(*time), true});
}

std::vector<CellFigure> figures_of_row(const timers::Row& row, const std::string& name) {
  std::vector<CellFigure> figures;
  if (row.scrub) {
    add_time_figure(figures, name + " duration_s", row.scrub->finished);
    add_time_figure(figures, name + " work_s", row.scrub->work);
  }
  if (row.peering) {
    add_time_figure(figures, name + " duration_s", row.peering->active);
    add_time_figure(figures, name + " clean_s", row.peering->clean);
  }
  if (row.compact) {
    // An OSD that finds nothing to compact says 0, and 0 has no ratio to others. Then it is the
    // time of the whole command, which is at most that much too long.
    const auto in_osd = row.compact->in_osd;
    add_time_figure(figures, name + " duration_s",
                    in_osd && *in_osd > Time(0) ? in_osd : std::optional(row.elapsed));
  }
  if (row.bench && row.bench->iops > 0) {
    figures.push_back({name + " IOPS", row.bench->iops, false});
  }
  return figures;
}

}  // namespace

StudyCells::StudyCells(StudyRunPlans plans, run::OutputOptions output, base::Interrupts& interrupts,
                       record::ProgressListener& listener, TimeCell time, bool yes)
    : m_plans(std::move(plans)),
      m_output(std::move(output)),
      m_interrupts(interrupts),
      m_listener(listener),
      m_time(std::move(time)),
      m_yes(yes) {}

std::size_t StudyCells::arm_of(const StudyDocument& document, const StudyCell& cell) const {
  const auto& arms = document.plan.arms;
  const auto found =
      std::find_if(arms.begin(), arms.end(), [&](const Arm& arm) { return arm.name == cell.arm; });
  return std::min<std::size_t>(static_cast<std::size_t>(found - arms.begin()), m_plans.size() - 1);
}

RunPlan StudyCells::plan_for(const StudyDocument& document, std::size_t number) const {
  const StudyCell& cell = document.cells[number];
  RunPlan plan = m_plans[arm_of(document, cell)][cell.work];
  if (const auto osd = osd_of_unit(cell.unit)) plan.pins.osds = std::to_string(*osd);
  plan.seed = seed_of_cell(document.plan.seed, number);
  plan.labels["study"] = document.plan.name;
  plan.labels["arm"] = cell.arm;
  plan.labels["round"] = std::to_string(cell.round);
  plan.labels["cell"] = fmt::format("{}/{}", document.id, number + 1);
  if (!cell.phase.empty()) plan.labels["phase"] = cell.phase;
  if (document.capacity > 0 && document.plan.load.capacity_share > 0) {
    const double rate = document.capacity * document.plan.load.capacity_share;
    // It is a number above 0, which the option takes.
    static_cast<void>(plan::set_option(*plan::find_option("rate"), plan,
                                       fmt::format("{:.0f}", std::max(1.0, rate))));
  }
  return plan;
}

// The later cells that may use the objects of this one. One plan for each kind of cell: the cache
// asks what objects they need, not how often.
std::vector<RunPlan> StudyCells::sharing_objects(const StudyDocument& document,
                                                 std::size_t number) const {
  std::set<std::pair<std::string, std::size_t>> seen;
  std::vector<RunPlan> plans;
  for (std::size_t i = number + 1; i < document.cells.size(); ++i) {
    const StudyCell& cell = document.cells[i];
    if (document.plan.works[cell.work].what == Work::What::timer) continue;
    if (!share_objects(document.plan, document.cells[number], cell)) continue;
    if (seen.emplace(cell.unit, cell.work).second) plans.push_back(plan_for(document, i));
  }
  return plans;
}

// By what the cells of this process took; before the first, by their plans.
Time StudyCells::left_after(const StudyDocument& document, std::size_t number) const {
  const auto left = static_cast<std::int64_t>(document.cells.size() - number);
  if (m_measured > 0) return m_spent / static_cast<std::int64_t>(m_measured) * left;
  const StudyCell& cell = document.cells[number];
  return run::planned_length(m_plans[arm_of(document, cell)][cell.work]) * left;
}

Measured StudyCells::measure(const StudyDocument& document, std::size_t number) {
  const auto began = Clock::now();
  const StudyCell& cell = document.cells[number];
  const bool timer = document.plan.works[cell.work].what == Work::What::timer;
  Measured measured = timer ? time_cell_of(document, number) : run_cell(document, number);
  m_spent += Clock::now() - began;
  ++m_measured;
  return measured;
}

Measured StudyCells::run_cell(const StudyDocument& document, std::size_t number) {
  const StudyCell& cell = document.cells[number];
  prepare::DatasetCache& cache = m_caches[arm_of(document, cell)];
  cache.expect(sharing_objects(document, number));
  StepListener listener(m_listener, cell_text(document, number), left_after(document, number));
  listener.begin();
  auto result = run::execute(plan_for(document, number), m_output, m_interrupts, listener, &cache);
  if (!result) return ends_with(std::move(result).error());
  Measured measured;
  measured.runs.push_back(result->record.header.run_id);
  measured.state = state_of_run(result->record, measured.reason);
  measured.figures = figures_of_cell(result->record, document.plan.works[cell.work].name);
  if (m_interrupts.count() > 0 && result->record.status != record::RunStatus::complete) {
    measured.state = TryState::interrupted;
  }
  // A figure of 0 has no ratio to others, so it is left out, and that must not go unnoticed.
  if (measured.state == TryState::done &&
      record::total_of(result->record.kinds).finished.ops == 0) {
    m_listener.note(fmt::format("{} has no IOPS, because {}", cell_text(document, number),
                                why_nothing_was_measured(result->record)));
  }
  if (result->exit == Exit::flawed && measured.state != TryState::interrupted) m_flawed = true;
  if (run::abandoned_passes() > 0) {
    // Operations without an answer may still write into what the next cell measures.
    measured.ends_study = Error{.attempt = "continue the study",
                                .subject = {},
                                .reason = "operations were never answered",
                                .hint = "continue with --resume when the cluster is well again"};
  }
  return measured;
}

Measured StudyCells::time_cell_of(const StudyDocument& document, std::size_t number) {
  const StudyCell& cell = document.cells[number];
  const Work& work = document.plan.works[cell.work];
  m_listener.step(cell_text(document, number), left_after(document, number));
  auto timed = m_time({.words = work.words,
                       .cluster = m_plans[arm_of(document, cell)][cell.work].cluster,
                       .osd = osd_of_unit(cell.unit).value_or(-1),
                       .yes = m_yes,
                       .no_progress = true},
                      m_interrupts);
  if (!timed) return ends_with(std::move(timed).error());
  Measured measured{.state = TryState::done,
                    .reason = timed->row.failure,
                    .runs = {timed->id},
                    .figures = figures_of_row(timed->row, work.name),
                    .ends_study = {}};
  if (timed->interrupted) {
    measured.state = TryState::interrupted;
  } else if (!timed->row.failure.empty()) {
    measured.state = TryState::void_cell;
  }
  return measured;
}

Measured StudyCells::recover(const StudyDocument& document, const OpenTry& open) {
  Measured found;
  const RunPlan plan = plan_for(document, open.cell);
  const auto cell_label = plan.labels.find("cell");
  if (m_output.store) {
    found.runs = runs_of_killed_cell(*m_output.store, cell_label->second, open.began);
  }
  // Objects of other arms may wait for later cells.
  std::set<std::pair<std::string, std::string>> places;
  for (const auto& of_arm : m_plans) {
    for (const RunPlan& one : of_arm) {
      if (!places.emplace(one.pool, one.nspace).second) continue;
      if (auto removed = remove_leftovers(one, open.process, m_interrupts, m_listener); !removed) {
        found.ends_study = std::move(removed).error();
        return found;
      }
    }
  }
  return found;
}

Result<double> StudyCells::find_capacity(const StudyDocument& document) {
  constexpr std::size_t most_runs = 6;
  constexpr Time longest = std::chrono::seconds(5);
  std::set<std::pair<std::string, std::size_t>> seen;  // an arm under a load
  double slowest = 0;
  for (std::size_t i = 0; i < document.cells.size() && seen.size() < most_runs; ++i) {
    const StudyCell& cell = document.cells[i];
    if (document.plan.works[cell.work].what == Work::What::timer) continue;
    if (!seen.emplace(cell.arm, cell.work).second) continue;
    RunPlan plan = plan_for(document, i);
    plan.labels["cell"] = document.id + "/capacity";
    if (plan.extent.time > longest) plan.extent.time = longest;
    prepare::DatasetCache& cache = m_caches[arm_of(document, cell)];
    cache.expect(sharing_objects(document, i));
    StepListener listener(m_listener, "capacity of " + cell.arm, Time(0));
    listener.begin();
    RADOSLOAD_ASSIGN(const auto result,
                     run::execute(plan, m_output, m_interrupts, listener, &cache));
    const double iops = record::iops(result.record, record::total_of(result.record.kinds));
    if (m_interrupts.count() > 0 || iops <= 0) {
      return fail({.attempt = "find the capacity of arm " + cell.arm,
                   .reason = m_interrupts.count() > 0 ? m_interrupts.name() : "no operation ended",
                   .exit = m_interrupts.count() > 0 ? Exit::interrupted : Exit::flawed});
    }
    slowest = slowest == 0 ? iops : std::min(slowest, iops);
  }
  return slowest;
}

void StudyCells::finish() {
  if (run::abandoned_passes() > 0) return;
  OnceListener listener(m_listener);
  for (auto& [arm, cache] : m_caches) cache.clear(m_interrupts, listener);
}

}  // namespace radosload::study
