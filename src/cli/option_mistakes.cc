#include "cli/option_mistakes.h"

#include <string_view>

#include "radosload/printable.h"

#include "base/suggest.h"
#include "cli/other_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

const CLI::Option* option_named(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* const option : command.get_options()) {
    if (!option->nonpositional()) continue;
    if (option->check_name(name)) return option;
  }
  return nullptr;
}

std::vector<std::string> long_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

// "-pattern" has one dash too few.
std::string with_two_dashes(const std::string& word) {
  return word.starts_with("--") ? word : "-" + word;
}

std::string suggested_option(const CLI::App& command, const std::string& name,
                             const std::string& value) {
  // Every name has dashes, so they would only distort the search for the nearest name.
  const std::string wanted = with_two_dashes(name).substr(2);
  const std::vector<std::string> names = long_names(command);
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view nearest = wanted.size() < 2 ? "" : nearest_word(wanted, known);
  if (nearest.empty()) return {};
  const CLI::Option* const option = option_named(command, fmt::format("--{}", nearest));
  const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
  return takes_value && !value.empty() ? fmt::format("did you mean --{} {}?", nearest, value)
                                       : fmt::format("did you mean --{}?", nearest);
}

// Names other commands that have the option: "'run' and 'replicas' have it".
std::string commands_with(const CLI::App& program, const std::string& name) {
  std::vector<std::string> have;
  for (const CLI::App* const command : program.get_subcommands({})) {
    if (option_named(*command, name) != nullptr) have.push_back("'" + command->get_name() + "'");
  }
  if (have.empty()) return {};
  return fmt::format("{} is an option of {}", name, fmt::join(have, ", "));
}

Error unknown_option(const CLI::App& program, const CLI::App& command, const std::string& word,
                     const std::string& next) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  std::string value = next.starts_with('-') ? "" : next;
  if (equals != std::string::npos) value = word.substr(equals + 1);
  const OptionWord letter = option_word(word);
  std::string hint;
  // The advice uses options that commands without --qd lack.
  if (command.get_option_no_throw("--qd") != nullptr) {
    hint = other_option_hint(letter.name, letter.joined ? letter.value : value).value_or("");
    if (hint.empty()) hint = other_option_hint(with_two_dashes(name), value).value_or("");
  }
  if (hint.empty()) hint = suggested_option(command, name, value);
  if (hint.empty()) hint = commands_with(program, name);
  hint += fmt::format("{}{}", hint.empty() ? "" : "\n  ", see_help(command));
  return mistake(
      fmt::format("'radosload {}' has no option {}", command.get_name(), printable(name)),
      std::move(hint));
}

// "-pattern", which would be read as "-p attern".
bool is_long_name(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return !word.starts_with("--") && name.size() > 3 && option_named(command, "-" + name) != nullptr;
}

Error one_dash_too_few(const std::string& word) {
  return mistake(fmt::format("{} has one dash too few", printable(word.substr(0, word.find('=')))),
                 fmt::format("write -{}", printable(word)));
}

bool is_option_of(const CLI::App& command, const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         option_named(command, option_word(word).name) != nullptr;
}

}  // namespace

Error mistake(std::string reason, std::string hint) {
  return {.reason = std::move(reason), .hint = std::move(hint), .exit = Exit::usage};
}

std::string see_help(const CLI::App& command) {
  return fmt::format("'radosload {} --help' lists the options", command.get_name());
}

OptionWord option_word(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (word.starts_with("--") || equals != std::string::npos) {
    return {.name = word.substr(0, equals),
            .value = equals == std::string::npos ? "" : word.substr(equals + 1),
            .joined = equals != std::string::npos};
  }
  return {.name = word.substr(0, 2), .value = word.substr(2), .joined = word.size() > 2};
}

std::string shown_name(const CLI::Option& option) {
  return option.nonpositional() ? "--" + option.get_single_name() : option.get_name(true);
}

Error value_missing(const CLI::Option& option, const std::string& next) {
  const std::string name = shown_name(option);
  const std::string reason = fmt::format("{} needs a value", name);
  return mistake(
      next.empty() ? reason : fmt::format("{}, but the option {} follows", reason, printable(next)),
      fmt::format("write {} {}", name, option.get_type_name()));
}

std::optional<Error> find_wrong_option(const CLI::App& program, const CLI::App& command,
                                       const std::vector<std::string>& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") return std::nullopt;
    if (word.size() < 2 || word[0] != '-') continue;
    const OptionWord given = option_word(word);
    const CLI::Option* const option = option_named(command, given.name);
    if (option == nullptr) {
      return unknown_option(program, command, word, i + 1 < words.size() ? words[i + 1] : "");
    }
    if (given.joined && is_long_name(command, word)) return one_dash_too_few(word);
    if (option->get_items_expected_min() == 0 || given.joined) continue;
    ++i;  // its value
    if (i < words.size() && is_option_of(command, words[i])) {
      return value_missing(*option, words[i]);
    }
  }
  return std::nullopt;
}

}  // namespace radosload::cli
