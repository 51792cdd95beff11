// The first lines of the live view: phase, progress, rates and latencies of the last second, and
// stuck operations. The picture of the last minutes (live_history.h) follows below them. Pure;
// cli/terminal draws the lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "record/progress.h"

namespace radosload::report {

// The lines: in a series, the step and the remaining time; phase and progress with the rates of the
// last second; its latencies; what all members of a session do; and the first few stuck operations.
// No line is wider than `columns`: figures are dropped from the right, and the bar shrinks, before
// a line would wrap. No colours, no cursor movements, no newline.
std::vector<std::string> live_frame(const record::Progress& now, std::size_t columns);

// "step 3 of 12: qd=16, about 4 m 20 s left"
std::string step_text(const std::string& step, Time left);

// "[########------------]"
std::string progress_bar(double done, std::size_t width);

}  // namespace radosload::report
