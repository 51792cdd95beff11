// The table of the members of a session, in the joint record.
#pragma once

#include <string>

#include "record/run_record.h"
#include "report/layout.h"

namespace radosload::report {

// Empty when the record is not that of a session.
Sheet members_sheet(const record::RunRecord& record);
std::string members_table(const record::RunRecord& record);

}  // namespace radosload::report
