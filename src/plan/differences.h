// The options in which plans differ, so that their figures are not of the same load. Pure.
#pragma once

#include <string>
#include <vector>

#include "radosload/run_plan.h"

namespace radosload::plan {

struct Difference {
  std::string option;
  std::vector<std::string> values;  // of each plan; "none" where it has none
};

// Options that change nothing of what is measured are not among them.
std::vector<Difference> differences(const std::vector<const RunPlan*>& plans);

}  // namespace radosload::plan
