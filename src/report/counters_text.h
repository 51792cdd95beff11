// What the OSDs counted of their own work over a window: a few small tables with a row for each
// OSD, and in one line for each kind of operation where the time went. Pure.
#pragma once

#include <string>
#include <vector>

#include "record/osd_window.h"
#include "record/run_record.h"

namespace radosload::report {

// At most 80 columns. Without a run (`radosload watch`) what only a client knows is left out; with
// one, `run` is the record that the windows belong to. Empty without windows.
std::string counters_text(const std::vector<record::OsdWindow>& windows,
                          const record::RunRecord* run = nullptr);

}  // namespace radosload::report
