// Measures the cells of a study with the machinery of runs and timings, and finds what a killed
// process has left of one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/interrupts.h"
#include "prepare/dataset_cache.h"
#include "record/progress.h"
#include "run/run.h"
#include "study/conduct.h"
#include "study/study_draft.h"
#include "timers/row.h"

namespace radosload::study {

// One timing of one OSD, in the words of `radosload time`.
struct TimedCell {
  std::vector<std::string> words = {};  // {"scrub", "--deep"}
  ClusterOptions cluster = {};
  std::int32_t osd = -1;
  bool yes = false;  // OSDs may be restarted
  bool no_progress = false;
};

struct TimedRow {
  std::string id;   // of the timing, which is saved like any other
  timers::Row row;  // `failure` says what could not be measured
  bool interrupted = false;
};

// What the words of a timing mean is the command line's to say, so it makes them.
using TimeCell = std::function<Result<TimedRow>(const TimedCell&, const base::Interrupts&)>;

class StudyCells {
 public:
  StudyCells(StudyRunPlans plans, run::OutputOptions output, base::Interrupts& interrupts,
             record::ProgressListener& listener, TimeCell time, bool yes);

  Measured measure(const StudyDocument& document, std::size_t number);
  Measured recover(const StudyDocument& document, const OpenTry& open);
  // Operations a second of the slowest arm: at most six short runs at the depth of the patterns.
  Result<double> find_capacity(const StudyDocument& document);
  // Removes the objects that cells have shared.
  void finish();
  // Whether operations of some run failed.
  bool flawed() const { return m_flawed; }

 private:
  using Clock = std::chrono::steady_clock;

  std::size_t arm_of(const StudyDocument& document, const StudyCell& cell) const;
  RunPlan plan_for(const StudyDocument& document, std::size_t number) const;
  std::vector<RunPlan> sharing_objects(const StudyDocument& document, std::size_t number) const;
  Time left_after(const StudyDocument& document, std::size_t number) const;
  Measured run_cell(const StudyDocument& document, std::size_t number);
  Measured time_cell_of(const StudyDocument& document, std::size_t number);

  StudyRunPlans m_plans;
  run::OutputOptions m_output;
  base::Interrupts& m_interrupts;
  record::ProgressListener& m_listener;
  TimeCell m_time;
  bool m_yes;
  std::map<std::size_t, prepare::DatasetCache> m_caches;  // by arm: arms are different places
  Time m_spent{0};                                        // on the cells of this process
  std::size_t m_measured = 0;
  bool m_flawed = false;
};

}  // namespace radosload::study
