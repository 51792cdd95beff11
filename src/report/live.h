// The first lines of the live view: phase, progress, rates and latencies of the last second, and
// operations that are stuck. Below them stands the picture of the last minutes (live_history.h).
// Pure; cli/terminal draws them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "record/progress.h"

namespace radosload::report {

// In a series a line for the step and the time left; then one for phase and progress with the rates
// of the last second, one for its latencies, and one more for each thing that is stuck (the first
// few). No line is wider than `columns`: figures are left out from the right, and the bar takes
// what room is left, before anything wraps. No colours, no cursor movements, no newline.
std::vector<std::string> live_frame(const record::Progress& now, std::size_t columns);

// "step 3 of 12: qd=16, about 4 m 20 s left"
std::string step_text(const std::string& step, Time left);

// "[########------------]"
std::string progress_bar(double done, std::size_t width);

}  // namespace radosload::report
