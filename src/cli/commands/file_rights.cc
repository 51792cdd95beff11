#include "cli/commands/file_rights.h"

#include "radosload/printable.h"

#include "plan/validate.h"

#include <fmt/format.h>

namespace radosload::cli {

std::vector<std::string> rights_of(const RunPlan& plan) {
  const RunPlan defaults;
  std::vector<std::string> rights;
  for (const plan::Option& option : plan::options()) {
    if (!option.recorded() || option.from_file != plan::FromFile::said_again) continue;
    const auto value = option.get(plan);
    if (!value || value == option.get(defaults)) continue;
    rights.push_back(fmt::format("--{} '{}'", option.name, printable(*value)));
  }
  return rights;
}

const plan::Option* right_not_given(const RunPlan& saved, const RunPlan& said) {
  const RunPlan defaults;
  for (const plan::Option& option : plan::options()) {
    if (!option.recorded() || option.from_file != plan::FromFile::said_again) continue;
    const auto wanted = option.get(saved);
    if (wanted != option.get(defaults) && wanted != option.get(said)) return &option;
  }
  return nullptr;
}

Status replace_rights(RunPlan& saved, const RunPlan& said) {
  for (const plan::Option& option : plan::options()) {
    if (!option.recorded() || option.from_file != plan::FromFile::replaced) continue;
    RADOSLOAD_TRY(plan::set_option(option, saved, option.get(said).value_or("")));
  }
  return plan::validate(saved);
}

}  // namespace radosload::cli
