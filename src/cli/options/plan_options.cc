#include "cli/options/plan_options.h"

#include <memory>
#include <utility>
#include <vector>

#include "cli/options/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

// "-p,--pool", "--id,--user"
std::string names_of(const plan::Option& option) {
  std::string names = option.letter == '\0' ? "" : fmt::format("-{},", option.letter);
  names += fmt::format("--{}", option.name);
  if (!option.other.empty()) names += fmt::format(",--{}", option.other);
  return names;
}

// A help text that ends with a bracket already has the default; a plain 0 is not worth showing.
std::string shown_default(const plan::Option& option) {
  const std::string text = plan::default_text(option);
  const bool none = option.help.find("0: none") != std::string_view::npos;
  if (none && (text == "0" || text == "0s")) return "none";
  const bool nothing = text == "0" && option.help.find("0: ") == std::string_view::npos;
  return option.help.ends_with(']') || nothing ? std::string() : text;
}

}  // namespace

CLI::Option* declare(CLI::App& command, const plan::Option& option, const TakeText& take) {
  const std::string names = names_of(option);
  const std::string help(option.help);
  CLI::Option* declared = nullptr;
  if (option.may_have_value) {
    // Both lambdas hold the text, because CLI11 writes into it.
    const auto text = std::make_shared<std::string>();
    declared = command.add_flag(names + "{yes}", *text, help);
    declared->each([text, take](const std::string& value) { take(value); });
  } else if (option.type.empty()) {
    declared = command.add_flag_callback(
        names, [take] { take("yes"); }, help);
  } else if (option.form() == plan::Form::list) {
    declared = command.add_option_function<std::vector<std::string>>(
        names,
        [take](const std::vector<std::string>& items) {
          take(fmt::format("{}", fmt::join(items, ",")));
        },
        help);
    declared->delimiter(',');
  } else {
    declared = command.add_option_function<std::string>(names, take, help);
  }
  if (!option.type.empty()) {
    declared->type_name(std::string(option.type))->default_str(shown_default(option));
  }
  return declared->group(std::string(plan::title_of(option.group)))
      ->configurable(option.in_config != plan::InConfig::one_run);
}

void set_or_throw(const plan::Option& option, RunPlan& plan, const std::string& text) {
  const auto set = plan::set_option(option, plan, text);
  if (!set) throw WrongValue(set.error());
}

}  // namespace radosload::cli
