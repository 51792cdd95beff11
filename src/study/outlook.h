// What a study could find, worked out before it begins: which verdicts are impossible with any
// figures, and the smallest change it would probably find if they scatter as earlier
// figures of the same loads did. Only the scatter of earlier figures is used, never the difference
// of the arms. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "radosload/result.h"

#include "record/run_record.h"
#include "stats/foresight.h"
#include "study/arm_figures.h"
#include "study/document.h"

namespace radosload::study {

// One comparison by one metric in one scope.
struct Foreseen {
  std::string base;
  std::string other;
  std::string metric;  // empty: any one, while nothing is known of them
  stats::Foresight now;
  // The same with twice the rounds, and with twice the units in each arm.
  stats::Foresight more_rounds;
  stats::Foresight more_units;
};

struct Outlook {
  std::string spread_of;  // "study y...", "2 runs"; empty: nothing is known
  std::size_t metrics = 0;
  std::vector<Foreseen> comparisons;
  std::vector<std::string> never;  // which verdicts are impossible, and what to do about it
};

// Figures that were measured before, with the name of where they are from. Arms with different
// names are never mixed.
struct EarlierFigures {
  std::string from;
  std::vector<ArmFigure> figures;
};

// What a study has measured so far, of the loads with these names.
EarlierFigures figures_so_far(const StudyDocument& document, const std::vector<std::string>& loads);
// By the name of the load that each run is one of.
EarlierFigures figures_of_saved(const std::vector<std::pair<std::string, record::RunRecord>>& runs);

// The first cells, which tell how figures scatter: two rounds, because one does not tell the
// scatter of rounds. Fails when they would be the whole study, and for a probe.
Result<std::size_t> cells_of_pilot(const StudyDocument& document);

// `least_metrics`: how many there will be at least, while there are no figures.
Outlook outlook_of(const StudyDocument& document, const std::optional<EarlierFigures>& earlier,
                   std::size_t least_metrics);

}  // namespace radosload::study
