// Describes how much of the client machine's network, CPU and throttles a run used.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

// Empty when nothing is known.
std::string client_text(const record::RunRecord& record);

}  // namespace radosload::report
