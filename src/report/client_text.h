// What a run took of the client's machine.
#pragma once

#include <string>

#include "record/run_record.h"

namespace radosload::report {

// Empty when nothing is known.
std::string client_text(const record::RunRecord& record);

}  // namespace radosload::report
