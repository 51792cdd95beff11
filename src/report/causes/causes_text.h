// An explanation as text. Pure.
#pragma once

#include <string>

#include "report/causes/cause.h"
#include "report/layout.h"

namespace radosload::report {

// What ran, its causes with evidence and the command that would refute each, and what could not be
// examined.
std::string explanation_text(const record::RunRecord& record);
// For reports: a line for each cause; empty without causes.
Sheet causes_sheet(const record::RunRecord& record);
// For pages: the same with evidence, the command, and what could not be examined; empty without
// causes.
Sheet explanation_sheet(const record::RunRecord& record);
// "osd.5 is slower than the others: about 97 % of a write's time"
std::string cause_line(const Cause& cause);

}  // namespace radosload::report
