// What the OSDs counted of their own work over a window: a few small tables with a row for each
// OSD, and in one line for each kind of operation where the time went. Pure.
#pragma once

#include <string>
#include <vector>

#include "record/osd_window.h"
#include "record/run_record.h"
#include "report/layout.h"

namespace radosload::report {

// Without a run (`radosload watch`) what only a client knows is left out; with one, `run` is the
// record that the windows belong to. Empty without windows; the first part is a table, or the
// line that says that there are none.
Sheet counters_sheet(const std::vector<record::OsdWindow>& windows,
                     const record::RunRecord* run = nullptr);
// The same as text of at most 80 columns.
std::string counters_text(const std::vector<record::OsdWindow>& windows,
                          const record::RunRecord* run = nullptr);

}  // namespace radosload::report
