// What is kept of a study: its plan, its schedule, and every try of every cell with the runs behind
// it and their figures. Nothing measured is ever taken out. It is a document (the state at the
// start) and lines, one for each thing that happens; reading puts both together. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "radosload/result.h"

#include "study/schedule.h"
#include "study/study_plan.h"

namespace radosload::study {

// A metric of one cell: "randwrite4k p99".
struct CellFigure {
  std::string metric;
  double value = 0;  // above 0
  bool lower_is_better = true;
  bool at_least = false;  // operations were lost, and it may be any larger
  bool operator==(const CellFigure&) const = default;
};

enum class TryState : std::uint8_t {
  done,
  contaminated,  // measured, and something disturbed it
  void_cell,     // measured, and worth nothing
  failed,        // nothing was measured
  cut_off,       // the process was killed meanwhile
  interrupted,   // Ctrl-C
};
std::string_view try_state_name(TryState state);

struct CellTry {
  std::size_t cell = 0;  // in StudyDocument::cells
  std::string began;     // ISO 8601 in UTC
  TryState state = TryState::done;
  std::string reason;             // of any state but done
  std::vector<std::string> runs;  // their IDs in the run store, or that of a timing
  std::vector<CellFigure> figures;
  bool operator==(const CellTry&) const = default;
};

// A state of the cluster that was reached.
struct PhaseBegun {
  std::string phase;
  std::string at;
  bool operator==(const PhaseBegun&) const = default;
};

// A cell whose end has not been noted (yet).
struct OpenTry {
  std::size_t cell = 0;
  std::string began;
  std::string process = {};  // which measures it: what it leaves behind carries this
  bool operator==(const OpenTry&) const = default;
};

struct StudyDocument {
  std::string id;
  std::string started;
  std::string program;
  StudyPlan plan;  // its seed is drawn
  std::vector<ArmUnits> units;
  std::vector<StudyCell> cells;
  double capacity = 0;               // operations a second of the slowest arm; 0: not looked for
  std::vector<std::string> remarks;  // what was known before it began: confounders
  std::vector<PhaseBegun> phases;
  std::vector<CellTry> tries;
  std::optional<OpenTry> open;
  bool operator==(const StudyDocument&) const = default;
};

inline constexpr std::string_view study_schema = "radosload.study/1";

// A cell that is worth nothing, or was cut off, is repeated so often.
inline constexpr std::size_t most_repeats = 3;

// The result of the tries of a cell.
struct CellState {
  std::optional<std::size_t> counts;        // in StudyDocument::tries: whose figures are used
  std::optional<std::size_t> contaminated;  // the last such try
  std::size_t spoilt = 0;                   // tries that a repetition answers
  bool settled() const { return counts || spoilt > most_repeats; }
};
// Adds a try, the `number`th of the study. With `require_clean`, contaminated tries are repeated
// too; the last one counts when all are.
void count_try(const CellTry& one, std::size_t number, bool require_clean, CellState& state);
// Of each cell, in the order of the schedule.
std::vector<CellState> cell_states(const StudyDocument& document);

std::string study_json(const StudyDocument& document);
// Lines end in a newline.
std::string line_of(const CellTry& one);
std::string line_of(const OpenTry& one);
std::string line_of(const PhaseBegun& one);
std::string capacity_line(double iops);
// `text`: the document; `lines`: what happened since. A last line without its end, as a killed
// process leaves it, is ignored; any other that cannot be read is an error with its number.
Result<StudyDocument> study_from_json(const std::string& text, const std::string& lines,
                                      const std::string& subject);

}  // namespace radosload::study
