#include "plan/differences.h"

#include <algorithm>

#include "plan/options.h"

namespace radosload::plan {

std::vector<Difference> differences(const std::vector<const RunPlan*>& plans) {
  std::vector<Difference> found;
  for (const Option& option : options()) {
    if (!option.recorded() || option.matters != Matters::yes) continue;
    std::vector<std::string> values;
    values.reserve(plans.size());
    for (const RunPlan* const plan : plans) {
      const std::string value = option.get(*plan).value_or("");
      values.push_back(value.empty() ? "none" : value);
    }
    const bool same = std::all_of(values.begin(), values.end(),
                                  [&](const std::string& value) { return value == values[0]; });
    if (!same) found.push_back({.option = std::string(option.name), .values = std::move(values)});
  }
  return found;
}

}  // namespace radosload::plan
