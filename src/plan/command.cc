#include "plan/command.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "plan/options.h"

#include <fmt/format.h>

namespace radosload::plan {

namespace {

std::string option_word(const Option& option, const std::string& value) {
  if (option.form() == Form::flag && value == "yes") return fmt::format(" --{}", option.name);
  return fmt::format(" --{} {}", option.name, shell_word(value));
}

// What a plan is that has nothing but this pattern.
RunPlan with_pattern(const RunPlan& plan) {
  RunPlan base;
  const Option* const option = find_option("pattern");
  const auto name = option == nullptr ? std::nullopt : option->get(plan);
  if (name) static_cast<void>(set_option(*option, base, *name));
  return base;
}

}  // namespace

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("-_./,:=+%@").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

std::string command_of(const RunPlan& plan) {
  const RunPlan base = with_pattern(plan);
  std::string command = "radosload run";
  for (const Option& option : options()) {
    if (!option.recorded() || option.group == Group::hidden) continue;
    const auto value = option.get(plan);
    if (!value || value->empty()) continue;
    if (option.name != "pattern" && value == option.get(base)) continue;
    command += option_word(option, *value);
  }
  return command;
}

}  // namespace radosload::plan
