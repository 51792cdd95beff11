// The energy of a run, from what the sources of power have told and the seconds of its timeline.
// Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "record/energy.h"
#include "record/run_record.h"
#include "watch/power_meter.h"

namespace radosload::run {

// When the phases were, on the clock of the readings.
struct PowerTimes {
  Time idle_begin{0};
  Time idle_end{0};  // as idle_begin: power without load was not measured
  Time begin{0};     // of the measured phase
};

// What a run measured, as far as its energy is concerned.
struct MeasuredOps {
  const std::vector<record::TimelineRow>& timeline;
  Time measured{0};
  std::uint64_t drained = 0;  // operations answered after it, in whichever rows
};

record::Energy energy_of(const std::vector<watch::PowerReadings>& sources, const PowerTimes& times,
                         const MeasuredOps& run);

}  // namespace radosload::run
