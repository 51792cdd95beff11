// One timing of one OSD as a cell of a study, in the words of `radosload time`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/result.h"
#include "radosload/run_plan.h"

#include "base/interrupts.h"
#include "timers/row.h"

namespace radosload::cli {

struct TimedCell {
  std::vector<std::string> words;  // {"scrub", "--deep"}
  ClusterOptions cluster;
  std::int32_t osd = -1;
  bool yes = false;  // OSDs may be restarted
  bool no_progress = false;
};

// Whether `radosload time` would take these words, before anything is measured.
Status check_timer_words(const TimedCell& cell);

struct TimedRow {
  std::string id;   // of the timing, which is saved like any other
  timers::Row row;  // `failure` says what could not be measured
  bool interrupted = false;
};
Result<TimedRow> time_cell(const TimedCell& cell, const base::Interrupts& interrupts);

}  // namespace radosload::cli
