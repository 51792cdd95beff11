// From the record of a cell's run to its figures, and from a study's figures to its verdicts.
// Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "record/run_record.h"
#include "study/arm_figures.h"
#include "study/document.h"

namespace radosload::study {

// "NAME IOPS", and "NAME mean_us", "NAME p99_us" and so on; of a load with operations of several
// kinds "NAME read p99_us". Figures that have too few operations behind them are left out.
std::vector<CellFigure> figures_of_cell(const record::RunRecord& run, const std::string& name);

// What a run's grade makes of the cell, with the reason.
TryState state_of_run(const record::RunRecord& run, std::string& reason);

// Which figures of a study count.
enum class Counted : std::uint8_t { all, without_contaminated };

// A group of arms that are compared with its first one.
struct StudyArms {
  std::vector<ArmFigure> figures;
};
// The phases are the arms of a study that has any, and each unit is then paired with itself; beside
// that the arms are compared within each phase. What happened several times within an hour is one
// figure of a probe.
std::vector<StudyArms> arms_of_study(const StudyDocument& document, Counted counted);

struct StudyVerdicts {
  stats::ArmRules rules;
  std::vector<ArmFigure> figures;
  std::vector<Contest> contests;
};
// Fails as judge_figures() does, for instance when only one arm has figures so far.
Result<StudyVerdicts> judge_study(const StudyDocument& document, Counted counted);
// The full name of a metric: a plan may leave out its unit, and the name of the load where there is
// one only. `wanted` if there is no such metric.
std::string full_metric_name(const std::string& wanted, const std::vector<ArmFigure>& figures);
stats::ArmRules rules_of_study(const StudyDocument& document);

// How far it is.
struct StudyTally {
  std::size_t cells = 0;
  std::size_t measured = 0;      // have figures that count
  std::size_t contaminated = 0;  // of these
  std::size_t given_up = 0;      // no try was worth anything
  std::size_t repeats = 0;       // tries that do not count
};
StudyTally tally_of(const StudyDocument& document);

}  // namespace radosload::study
