#include "study/conduct.h"

#include <algorithm>
#include <utility>

#include "radosload/printable.h"

#include <fmt/format.h>

namespace radosload::study {

namespace {

class Conductor {
 public:
  Conductor(StudyDocument& document, const std::string& phase, const ConductWorld& world)
      : m_document(document), m_said(phase), m_world(world), m_states(cell_states(document)) {}

  Conducted run() && {
    if (auto ready = take_up(); !ready) return stopped(std::move(ready).error());
    const std::size_t last = std::min(m_document.cells.size(), m_world.most_cells);
    for (std::size_t cell = 0; cell < last; ++cell) {
      if (auto ended = until_settled(cell)) return *std::move(ended);
    }
    if (last < m_document.cells.size()) {
      return {.ended = Ended::piloted, .next_phase = {}, .error = {}};
    }
    return {.ended = Ended::complete, .next_phase = {}, .error = {}};
  }

 private:
  static Conducted stopped(Error error) {
    return {.ended = Ended::stopped, .next_phase = {}, .error = std::move(error)};
  }

  // What was being done when the last process ended.
  Status take_up() {
    if (!m_document.open) return {};
    const OpenTry open = *m_document.open;
    Measured found = m_world.recover(m_document, open);
    if (found.ends_study) return fail(*std::move(found.ends_study));
    found.state = TryState::cut_off;
    if (found.reason.empty()) found.reason = "radosload was killed meanwhile";
    return note_try(open, std::move(found));
  }

  // Nothing: on to the next cell.
  std::optional<Conducted> until_settled(std::size_t cell) {
    while (!m_states[cell].settled()) {
      if (m_world.interrupted()) {
        return Conducted{.ended = Ended::interrupted, .next_phase = {}, .error = {}};
      }
      if (auto ended = reach_phase(m_document.cells[cell].phase)) return ended;
      if (m_document.cells[cell].at > Time(0)) m_world.wait_until(m_document.cells[cell].at);
      // Both may take long.
      if (m_world.interrupted()) continue;
      if (auto ended = try_cell(cell)) return ended;
    }
    return std::nullopt;
  }

  std::optional<Conducted> try_cell(std::size_t cell) {
    const OpenTry open{.cell = cell, .began = m_world.now(), .process = m_world.process};
    if (auto kept = m_world.keep(line_of(open)); !kept) return stopped(std::move(kept).error());
    Measured measured = m_world.measure(m_document, cell);
    auto end = std::move(measured.ends_study);
    const bool interrupted = measured.state == TryState::interrupted;
    say(cell, measured);
    if (auto noted = note_try(open, std::move(measured)); !noted) {
      return stopped(std::move(noted).error());
    }
    if (end) return stopped(*std::move(end));
    if (interrupted) return Conducted{.ended = Ended::interrupted, .next_phase = {}, .error = {}};
    return std::nullopt;
  }

  void say(std::size_t cell, const Measured& measured) const {
    const bool spoilt = measured.state == TryState::void_cell ||
                        (measured.state == TryState::contaminated && m_document.plan.require_clean);
    if (!spoilt) return;
    const std::size_t before = m_states[cell].spoilt;
    m_world.note(fmt::format("cell {} of {} is {} ({}); {}", cell + 1, m_document.cells.size(),
                             try_state_name(measured.state), printable(measured.reason),
                             before < most_repeats ? fmt::format("it is repeated ({} of {} times)",
                                                                 before + 1, most_repeats)
                                                   : "it has been repeated as often as allowed"));
  }

  Status note_try(const OpenTry& open, Measured measured) {
    CellTry one{.cell = open.cell,
                .began = open.began,
                .state = measured.state,
                .reason = std::move(measured.reason),
                .runs = std::move(measured.runs),
                .figures = std::move(measured.figures)};
    RADOSLOAD_TRY(m_world.keep(line_of(one)));
    count_try(one, m_document.tries.size(), m_document.plan.require_clean, m_states[one.cell]);
    m_document.tries.push_back(std::move(one));
    m_document.open.reset();
    return {};
  }

  bool begun(const std::string& phase) const {
    return std::any_of(m_document.phases.begin(), m_document.phases.end(),
                       [&](const PhaseBegun& one) { return one.phase == phase; });
  }

  // The first phase without a command is how the cluster is found. A later one is made by its
  // command, or said to be there by a person.
  std::optional<Conducted> reach_phase(const std::string& name) {
    if (name.empty() || begun(name)) return std::nullopt;
    const auto& phases = m_document.plan.phases;
    const auto phase = std::find_if(phases.begin(), phases.end(),
                                    [&](const Phase& one) { return one.name == name; });
    if (phase == phases.end()) return std::nullopt;
    const bool first = phase == phases.begin();
    if (!phase->command.empty()) {
      if (auto reached = m_world.reach(*phase); !reached) {
        return stopped(std::move(reached).error());
      }
    } else if (!first && m_said != name) {
      return Conducted{.ended = Ended::waiting, .next_phase = name, .error = {}};
    }
    PhaseBegun one{.phase = name, .at = m_world.now()};
    if (auto kept = m_world.keep(line_of(one)); !kept) return stopped(std::move(kept).error());
    m_document.phases.push_back(std::move(one));
    return std::nullopt;
  }

  StudyDocument& m_document;
  const std::string& m_said;
  const ConductWorld& m_world;
  std::vector<CellState> m_states;
};

}  // namespace

Conducted conduct(StudyDocument& document, const std::string& phase, const ConductWorld& world) {
  return Conductor(document, phase, world).run();
}

}  // namespace radosload::study
