// One timing of one OSD as a cell of a study, made by the code of `radosload time`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "radosload/result.h"

#include "base/interrupts.h"
#include "study/study_cells.h"

namespace radosload::cli {

using study::TimedCell;
using study::TimedRow;

// Checks the options of the cell like `radosload time`, before anything is measured.
Status check_timer_words(const TimedCell& cell);

// What --restart-cmd is in this command line; empty: it is not there.
Result<std::string> restart_command_of(const std::vector<std::string>& words);

// Why OSDs could not be timed so now: one is down, or must not be stopped.
Status may_time(const TimedCell& cell, const std::vector<std::int32_t>& osds);

Result<TimedRow> time_cell(const TimedCell& cell, const base::Interrupts& interrupts);

}  // namespace radosload::cli
