// Figures of arms from the records of runs. A pinned OSD is a unit; a run without pins is one
// figure of its pool, image or target, and repeated runs are rounds. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/run_record.h"
#include "study/arm_figures.h"
#include "study/document.h"

namespace radosload::study {

struct ArmRun {
  std::string arm;
  record::RunRecord record;
};

// What divides runs into arms. `osd` and `kind` divide the OSDs of a run.
struct DividedBy {
  enum class What : std::uint8_t { label, pool, osd, kind };
  What what = What::pool;
  std::string label;
};
// "label=drive", "pool", "osd", "kind"
Result<DividedBy> divided_by(const std::string& text);

// The arm that the run belongs to as a whole; empty when it has none, or its OSDs are the arms.
std::string arm_of(const record::RunRecord& run, const DividedBy& division);

// The arms of the runs are not looked at. Runs without that property are left out, and named in
// `warnings`.
std::vector<ArmFigure> figures_by(const std::vector<ArmRun>& runs, const DividedBy& division,
                                  std::vector<std::string>& warnings);
// Each run belongs to its arm as a whole.
std::vector<ArmFigure> figures_of_runs(const std::vector<ArmRun>& runs);

// The same of the cells of a study that count; each keeps its unit and round. `runs`: by their IDs;
// a cell whose run is missing is left out.
std::vector<ArmFigure> figures_of_study_by(const StudyDocument& document,
                                           const std::map<std::string, record::RunRecord>& runs,
                                           const DividedBy& division,
                                           std::vector<std::string>& warnings);

// Options in which the runs differ and which change what is measured; where the load went (pool,
// images, OSDs) is not among them, because that is what is compared.
std::vector<std::string> unlike_plans(const std::vector<ArmRun>& runs);

}  // namespace radosload::study
