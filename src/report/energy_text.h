// Describes the power that a run took, and the energy of its operations.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

// "142 W (RAPL package-0, RAPL package-1), without load 80.2 W"; empty when it was not measured.
std::string power_text(const record::RunRecord& record);
// "12.3 mJ per operation (12.1 to 12.5), 5.36 mJ above the power without load (5.20 to 5.52)"
std::string energy_text(const record::RunRecord& record);
// "81.3 operations per joule, which is IOPS per watt (80.0 to 82.6), ..."
std::string efficiency_text(const record::RunRecord& record);

// "12.3 mJ"; any sign.
std::string joules_text(double joules);

}  // namespace radosload::report
