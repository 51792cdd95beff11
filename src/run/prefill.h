// Whether the pass that writes the objects to read has written them all.
#pragma once

#include <string>

#include "radosload/result.h"
#include "radosload/units.h"

#include "base/interrupts.h"
#include "run/measure.h"

namespace radosload::run {

// Else an Error: with objects missing, the run would measure something else. `stall`: how long the
// pass waited for an answer before it gave up.
Status objects_written(const PassEnd& prefill, const std::string& pool, Time stall,
                       const base::Interrupts& interrupts);

// The same for the file of a run on a drive.
Status file_written(const PassEnd& prefill, const std::string& path, Time stall,
                    const base::Interrupts& interrupts);
// The same for the files of a run on a file system.
Status files_written(const PassEnd& prefill, const std::string& system, Time stall,
                     const base::Interrupts& interrupts);

}  // namespace radosload::run
