#include "study/document.h"

#include <array>

namespace radosload::study {

std::string_view try_state_name(TryState state) {
  constexpr std::array<std::string_view, 6> names = {"done",   "contaminated", "void",
                                                     "failed", "cut off",      "interrupted"};
  return names[static_cast<std::size_t>(state)];
}

void count_try(const CellTry& one, std::size_t number, bool require_clean, CellState& state) {
  bool spoilt = one.state == TryState::void_cell || one.state == TryState::cut_off;
  if (one.state == TryState::done) state.counts = number;
  if (one.state == TryState::contaminated) {
    state.contaminated = number;
    if (!require_clean) state.counts = number;
    spoilt = require_clean;
  }
  if (spoilt) ++state.spoilt;
  if (!state.counts && state.spoilt > most_repeats) state.counts = state.contaminated;
}

std::vector<CellState> cell_states(const StudyDocument& document) {
  std::vector<CellState> states(document.cells.size());
  for (std::size_t i = 0; i < document.tries.size(); ++i) {
    const CellTry& one = document.tries[i];
    count_try(one, i, document.plan.require_clean, states[one.cell]);
  }
  return states;
}

}  // namespace radosload::study
