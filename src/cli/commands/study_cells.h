// Measures the cells of a study with the machinery of runs and timings, and finds what a killed
// process has left of one.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/interrupts.h"
#include "cli/commands/study_plans.h"
#include "prepare/dataset_cache.h"
#include "record/progress.h"
#include "run/run.h"
#include "study/conduct.h"

namespace radosload::cli {

class StudyCells {
 public:
  StudyCells(StudyRunPlans plans, run::OutputOptions output, base::Interrupts& interrupts,
             record::ProgressListener& listener, bool yes);

  study::Measured measure(const study::StudyDocument& document, std::size_t number);
  study::Measured recover(const study::StudyDocument& document, const study::OpenTry& open);
  // Operations a second of the slowest arm: at most six short runs at the depth of the patterns.
  Result<double> find_capacity(const study::StudyDocument& document);
  // Removes the objects that cells have shared.
  void finish();
  // Whether operations of some run failed.
  bool flawed() const { return m_flawed; }

 private:
  using Clock = std::chrono::steady_clock;

  std::size_t arm_of(const study::StudyDocument& document, const study::StudyCell& cell) const;
  RunPlan plan_for(const study::StudyDocument& document, std::size_t number) const;
  std::vector<RunPlan> later_of_arm(const study::StudyDocument& document, std::size_t number) const;
  Time left_after(const study::StudyDocument& document, std::size_t number) const;
  study::Measured run_cell(const study::StudyDocument& document, std::size_t number);
  study::Measured time_cell_of(const study::StudyDocument& document, std::size_t number);

  StudyRunPlans m_plans;
  run::OutputOptions m_output;
  base::Interrupts& m_interrupts;
  record::ProgressListener& m_listener;
  bool m_yes;
  std::map<std::size_t, prepare::DatasetCache> m_caches;  // by arm: arms are different places
  Time m_spent{0};                                        // on the cells of this process
  std::size_t m_measured = 0;
  bool m_flawed = false;
};

// The process that OpenTry names.
std::string process_name();

}  // namespace radosload::cli
