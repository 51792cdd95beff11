// What a running measurement shows: a frame on a terminal, or rows like those of `rados bench` when
// stderr is none. Pure functions of the last second and the state of the run; who draws them, and
// when, is not decided here.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "radosload/units.h"

#include "record/interval.h"
#include "record/run_record.h"

namespace radosload::report {

struct LiveState {
  std::string phase;  // "prefill", "warm-up", "measure", "drain"
  double done = 0;    // share of the phase that is over, 0 to 1; below 0: not known
  Time elapsed{0};    // of the phase
  Time total{0};      // of the phase; 0: it has no end in time
  std::uint64_t in_flight = 0;
  std::uint64_t failed = 0;        // so far
  std::uint64_t late = 0;          // so far
  std::vector<std::string> stuck;  // "osd.3: 12 ops for 14 s, PG 3.1f inactive"
  std::string step = {};           // of a series: "step 3 of 12: qd=16"; empty: a run by itself
  Time left{0};                    // of the whole series; 0: not known
};

// In a series a line for the step and the time left; then one for phase and progress with the rates
// of the last second, one for its latencies, and one more for each thing that is stuck (the first
// few). No line is wider than `columns`: figures are left out from the right, and the bar takes
// what room is left, before anything wraps. No colours, no cursor movements, no newline.
std::vector<std::string> live_frame(const LiveState& state, const record::TimelineRow& last,
                                    std::size_t columns);

// "step 3 of 12: qd=16, about 4 m 20 s left"
std::string step_text(const std::string& step, Time left);

// "[########------------]"
std::string progress_bar(double done, std::size_t width);

}  // namespace radosload::report
