#include "cli/commands/study_conduct.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "cli/commands/study_findable.h"
#include "cli/commands/study_saved.h"
#include "cli/commands/time_cell.h"
#include "cli/commands/time_jobs.h"
#include "cli/options/options.h"
#include "cli/options/run_words.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "prepare/engine_plan.h"
#include "record/line_journal.h"
#include "record/saving.h"
#include "record/series_store.h"
#include "record/study_store.h"
#include "study/conduct.h"
#include "study/leftovers.h"
#include "study/study_cells.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

namespace fs = std::filesystem;
using study::Conducted;
using study::Ended;

constexpr Time patience = std::chrono::milliseconds(100);

std::string moment_now() {
  return record::iso_time(std::chrono::system_clock::now());
}

// After the first Ctrl-C this still waits for the command, because a change to a cluster must not
// stop halfway; after the second it stops waiting.
Status run_phase_command(const study::Phase& phase, const base::Interrupts& interrupts,
                         record::ProgressListener& listener) {
  listener.note(fmt::format("phase {}: {}", phase.name, phase.command));
  const auto job = start_shell(phase.command);
  while (true) {
    if (const auto ended = job->poll()) {
      if (*ended) return {};
      Error error = ended->error();
      error.attempt = "reach phase " + phase.name;
      error.hint = "make it work by hand, then continue with --resume";
      error.exit = Exit::flawed;
      return fail(std::move(error));
    }
    if (interrupts.hurry()) {
      return fail({.attempt = "reach phase " + phase.name,
                   .reason = "its command still runs, and was not waited for",
                   .hint = "see what it has done before you continue with --resume",
                   .exit = Exit::interrupted});
    }
    std::this_thread::sleep_for(patience);
  }
}

// The rate of the runs is computed from the capacity, so it is measured once and saved.
Status take_capacity(study::StudyDocument& document, study::StudyCells& cells,
                     const study::ConductWorld& world) {
  if (document.plan.load.capacity_share <= 0 || document.capacity > 0) return {};
  RADOSLOAD_ASSIGN(document.capacity, cells.find_capacity(document));
  return world.keep(study::capacity_line(document.capacity));
}

// When the study's probes started. A resumed study continues at the same pace, without making up
// for the missed time.
std::chrono::steady_clock::time_point probe_start(const study::StudyDocument& document) {
  const auto states = study::cell_states(document);
  const auto next = std::find_if(states.begin(), states.end(),
                                 [](const study::CellState& one) { return !one.settled(); });
  const auto now = std::chrono::steady_clock::now();
  if (next == states.end()) return now;
  return now - document.cells[static_cast<std::size_t>(next - states.begin())].at;
}

Exit exit_of(const Conducted& conducted, const study::StudyCells& cells) {
  if (conducted.ended == Ended::interrupted) return Exit::interrupted;
  if (conducted.error) return conducted.error->exit;
  return cells.flawed() ? Exit::flawed : Exit::measured;
}

// The words that continue it: a document that is not in the store has no other name than its file,
// and takes the connection from the command line.
std::string words_to_resume(const fs::path& path, const std::string& id,
                            const std::string& phase = {}) {
  const bool stored = path.string().ends_with("/studies/" + id + ".json");
  const std::string with_phase = phase.empty() ? "" : " --phase " + phase;
  return fmt::format("radosload study --resume {}{}{}", stored ? id : path.string(), with_phase,
                     stored ? "" : "\n  with --conf, --name and other options for the cluster");
}

void tell_how_it_goes_on(const Conducted& conducted, const fs::path& path, const std::string& id) {
  switch (conducted.ended) {
    case Ended::complete:
      return;
    case Ended::waiting:
      warn(fmt::format("the study waits for phase {}; when the cluster is in it:\n  {}",
                       conducted.next_phase, words_to_resume(path, id, conducted.next_phase)));
      return;
    case Ended::piloted:
      warn(fmt::format("the pilot is complete, and its cells count; to continue:\n  {}",
                       words_to_resume(path, id)));
      return;
    case Ended::stopped:
      warn(conducted.error->message());
      break;
    case Ended::interrupted:
      break;
  }
  warn(
      fmt::format("the study is not complete, and all that was measured is kept; to continue:\n  "
                  "{}",
                  words_to_resume(path, id)));
}

// Shows no verdict, because a user who sees it might stop the study when it suits them.
Result<Exit> show_pilot(const Conducted& conducted, const study::StudyDocument& document,
                        const fs::path& path, const StudyRunPlans& plans, const StudyManner& manner,
                        Exit exit) {
  RADOSLOAD_ASSIGN(auto findable, what_it_could_find(document, plans, {}));
  auto shown = show_findable(document, plans, std::move(findable), manner.format);
  tell_how_it_goes_on(conducted, path, document.id);
  return shown && *shown == Exit::measured ? exit : shown;
}

}  // namespace

Result<study::StudyDocument> new_study(study::StudyPlan plan, const StudyRunPlans& plans) {
  if (plan.seed == 0) plan.seed = prepare::drawn_seed();
  const auto now = record::distinct_moment(std::chrono::system_clock::now());
  study::StudyDocument document;
  document.id = "y" + record::make_run_id(now, prepare::drawn_seed());
  document.started = record::iso_time(now);
  document.program = program_name;
  RADOSLOAD_ASSIGN(document.units, study_units(plan, plans));
  RADOSLOAD_ASSIGN(document.cells, study::schedule(plan, document.units, plan.seed));
  document.plan = std::move(plan);
  return document;
}

Result<fs::path> save_new_study(const study::StudyDocument& document) {
  RADOSLOAD_ASSIGN(const auto runs, open_store());
  RADOSLOAD_ASSIGN(const auto store, record::StudyStore::beside(runs));
  RADOSLOAD_TRY(store.create());
  fs::path path = store.document_path(document.id);
  RADOSLOAD_TRY(record::save(path, study::study_json(document), record::Existing::refuse));
  return path;
}

Result<Exit> conduct_study(study::StudyDocument document, StudyRunPlans plans, const fs::path& path,
                           const StudyManner& manner) {
  base::Interrupts interrupts;
  RADOSLOAD_ASSIGN(const auto lock, record::SeriesLock::acquire(path));
  // Loads what another process added before it released the lock.
  RADOSLOAD_ASSIGN(document, load_study_document(path));
  RADOSLOAD_ASSIGN(auto journal, record::LineJournal::open(record::lines_of_study(path)));
  const auto terminal =
      make_terminal(manner.no_progress ? ProgressStyle::none : ProgressStyle::steps);
  run::OutputOptions output;
  output.program = program_name;
  RADOSLOAD_ASSIGN(output.store, open_store());
  const StudyRunPlans planned = plans;
  study::StudyCells cells(std::move(plans), std::move(output), interrupts, *terminal, time_cell,
                          manner.yes);
  const auto start = probe_start(document);
  std::size_t most_cells = document.cells.size();
  if (manner.pilot) {
    RADOSLOAD_ASSIGN(most_cells, study::cells_of_pilot(document));
  }
  const study::ConductWorld world{
      .measure = [&](const auto& study, std::size_t cell) { return cells.measure(study, cell); },
      .recover = [&](const auto& study, const auto& open) { return cells.recover(study, open); },
      .keep = [&](const std::string& line) { return journal.append(line); },
      .reach =
          [&](const study::Phase& phase) {
            return run_phase_command(phase, interrupts, *terminal);
          },
      .interrupted = [&] { return interrupts.count() > 0; },
      .now = moment_now,
      .process = study::process_name(),
      .wait_until =
          [&](Time since_start) {
            while (interrupts.count() == 0 &&
                   std::chrono::steady_clock::now() - start < since_start) {
              std::this_thread::sleep_for(patience);
            }
          },
      .note = [&](const std::string& text) { terminal->note(text); },
      .most_cells = most_cells};
  Conducted conducted;
  if (auto ready = take_capacity(document, cells, world); ready) {
    conducted = study::conduct(document, manner.phase, world);
  } else {
    conducted.ended = ready.error().exit == Exit::interrupted ? Ended::interrupted : Ended::stopped;
    conducted.error = std::move(ready).error();
  }
  cells.finish();
  const Exit exit = exit_of(conducted, cells);
  const std::string id = document.id;
  const bool complete = conducted.ended == Ended::complete;
  if (conducted.ended == Ended::piloted)
    return show_pilot(conducted, document, path, planned, manner, exit);
  auto printed = print_study(std::move(document), path.string(), manner.format,
                             complete ? manner.fail_if : "", exit);
  tell_how_it_goes_on(conducted, path, id);
  return printed;
}

}  // namespace radosload::cli
