// Carries out a study: cell after cell in the order of its schedule, through a function that
// measures one. What is spoilt is repeated, phases are reached in their order, and everything is
// noted before and after it happens, so that a killed study can be continued. Touches neither files
// nor clusters itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "study/document.h"

namespace radosload::study {

// What came of a cell.
struct Measured {
  TryState state = TryState::done;
  std::string reason;
  std::vector<std::string> runs;
  std::vector<CellFigure> figures;
  // Why the study cannot continue; what has been measured counts all the same.
  std::optional<Error> ends_study;
};

struct ConductWorld {
  // Measures a cell.
  std::function<Measured(const StudyDocument&, std::size_t cell)> measure;
  // Looks for what a killed process left of a cell: its runs, whose leftovers it removes.
  std::function<Measured(const StudyDocument&, const OpenTry&)> recover;
  // Appends a line to what is kept. A failure ends the study: it could not be continued.
  std::function<Status(const std::string& line)> keep;
  // Runs the command of a phase.
  std::function<Status(const Phase&)> reach;
  std::function<bool()> interrupted;
  // The moment, as it is kept.
  std::function<std::string()> now;
  std::string process;  // as OpenTry has it
  // Waits until so long after the start of the study, or for an interrupt.
  std::function<void(Time since_start)> wait_until;
  std::function<void(const std::string&)> note;
  // A pilot ends before this cell.
  std::size_t most_cells = SIZE_MAX;
};

enum class Ended : std::uint8_t {
  complete,
  waiting,  // for a phase that a person makes
  interrupted,
  stopped,  // by an error
  piloted,  // its first rounds are measured, and more was not asked for
};

struct Conducted {
  Ended ended = Ended::complete;
  std::string next_phase;      // that is waited for
  std::optional<Error> error;  // of `stopped`
};

// `phase`: the one that a person says is there now; empty: none. Continues where the document ends.
Conducted conduct(StudyDocument& document, const std::string& phase, const ConductWorld& world);

}  // namespace radosload::study
