// Shows what the OSDs counted over a window: small tables with a row for each OSD, and a line for
// each kind of operation that says where its time went. Pure.
#pragma once

#include <string>
#include <vector>

#include "record/osd_window.h"
#include "record/run_record.h"
#include "report/layout.h"

namespace radosload::report {

// `run`: the record that the windows belong to; without one (`radosload watch`) the figures that
// only a client knows are left out. Empty without windows. The first part is a table, or a line
// that says that there are no tables.
Sheet counters_sheet(const std::vector<record::OsdWindow>& windows,
                     const record::RunRecord* run = nullptr);
// The same as text of at most 80 columns.
std::string counters_text(const std::vector<record::OsdWindow>& windows,
                          const record::RunRecord* run = nullptr);

}  // namespace radosload::report
