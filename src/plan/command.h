// The command line that a plan came from, for people who want to repeat a run. Pure.
#pragma once

#include <string>

#include "radosload/run_plan.h"

namespace radosload::plan {

// As a word of a POSIX shell.
std::string shell_word(const std::string& text);
// The command line that gives the same operations; options at their defaults are left out.
std::string command_of(const RunPlan& plan);

}  // namespace radosload::plan
