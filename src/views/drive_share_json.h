// A pool beside its drives, as JSON for scripts. Pure.
#pragma once

#include <string>

#include "report/drive_share.h"

namespace radosload::views {

// {schema: "radosload.drive-share/1", run_id, drives, osds, scaled_to, sums, rows, together_iops,
//  together_mib_per_s, warnings}
std::string drive_share_json(const report::DriveShare& share);

}  // namespace radosload::views
