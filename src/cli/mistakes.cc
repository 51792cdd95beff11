#include "cli/mistakes.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "radosload/printable.h"

#include "base/suggest.h"
#include "cli/option_mistakes.h"
#include "cli/options/options.h"
#include "cli/other_words.h"
#include "plan/patterns.h"
#include "plan/suites.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

std::vector<std::string_view> command_names(const CLI::App& program) {
  std::vector<std::string_view> names;
  for (const CLI::App* const command : program.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return names;
}

bool is_pattern(const std::string& word) {
  const std::string name = word.substr(0, word.find(','));
  return plan::find_pattern(name) != nullptr || plan::find_suite(name) != nullptr;
}

// "radosload list --json" for "--json list". Shortens long command lines.
std::string command_first(const std::vector<std::string>& words, const std::string& command) {
  constexpr std::size_t most = 60;
  std::string rest;
  bool moved = false;
  for (std::size_t i = 1; i < words.size(); ++i) {  // words[0] is the implied 'run'
    if (!moved && words[i] == command) {
      moved = true;
      continue;
    }
    rest += " " + printable(words[i]);
  }
  return fmt::format("radosload {}{}", command, rest.size() > most ? " ..." : rest);
}

Error unexpected_word(const CLI::App& command, const std::vector<std::string>& words,
                      const std::string& word) {
  const std::string reason = fmt::format("'radosload {}' does not take the word '{}'",
                                         command.get_name(), printable(word));
  const bool pattern = is_pattern(word) && command.get_option_no_throw("--pattern") != nullptr;
  const std::string as_pattern = fmt::format("--pattern {}", word);
  const CLI::App* const program = command.get_parent();
  if (program != nullptr && std::ranges::count(command_names(*program), word) > 0) {
    const std::string first = "a command comes first: " + command_first(words, word);
    return mistake(reason,
                   pattern ? fmt::format("{}\n  the pattern is {}", first, as_pattern) : first);
  }
  if (pattern) return mistake(reason, fmt::format("did you mean {}?", as_pattern));
  return mistake(reason, see_help(command));
}

// The parser's texts start with the option: "--format: xml not in {text,json}", "RUN is required".
const CLI::Option* named_in(const CLI::App& command, const std::string& text) {
  const std::string name = text.substr(0, text.find_first_of(": "));
  const bool dashes = name.starts_with('-');
  for (const CLI::Option* const option : command.get_options()) {
    if (dashes ? option->check_name(name) : option->get_name(true) == name) return option;
  }
  return nullptr;
}

// "for example: radosload compare last 20261121", from the examples of the command: the first
// example with its name, because the first example of 'join' is the run on another machine.
std::string example_of(const CLI::App& command) {
  const std::string footer = command.get_footer();
  const std::size_t begin = footer.find("Examples:\n  ");
  if (begin == std::string::npos) return see_help(command);
  const std::size_t own = footer.find("\n  radosload " + command.get_name(), begin);
  const std::size_t first = own == std::string::npos ? footer.find('\n', begin) : own;
  const std::string line = footer.substr(first + 3);
  const std::size_t end = std::min(line.find('\n'), line.find("   "));
  return fmt::format("for example: {}", line.substr(0, end));
}

Error missing_argument(const CLI::App& command, const CLI::Option& option) {
  return mistake(fmt::format("{} is missing: {}", shown_name(option), option.get_description()),
                 example_of(command));
}

Error wrong_number(const CLI::App& command, const CLI::Option& option,
                   const std::vector<std::string>& words) {
  const std::string name = shown_name(option);
  if (!option.nonpositional()) {
    return mistake(fmt::format("'radosload {}' takes at least {} of {}", command.get_name(),
                               option.get_items_expected_min(), name),
                   example_of(command));
  }
  const auto is_it = [&option](const std::string& word) {
    return word.starts_with('-') && option.check_name(option_word(word).name);
  };
  const auto times = std::count_if(words.begin(), words.end(), is_it);
  if (times > 1) {
    return mistake(fmt::format("{} is given {} times", name, times), "give it once");
  }
  return value_missing(option, "");
}

// "xml not in {text,json}"
std::optional<Error> wrong_choice(const std::string& name, const std::string& what) {
  constexpr std::string_view between = " not in {";
  const std::size_t at = what.rfind(between);
  if (at == std::string::npos || !what.ends_with('}')) return std::nullopt;
  const std::string value = what.substr(0, at);
  const std::string list = what.substr(at + between.size(), what.size() - at - between.size() - 1);
  std::vector<std::string_view> choices;
  for (std::string_view rest = list; !rest.empty();) {
    const std::string_view choice = rest.substr(0, rest.find(','));
    choices.push_back(choice);
    rest.remove_prefix(std::min(choice.size() + 1, rest.size()));
  }
  return Error{.attempt = "use",
               .subject = fmt::format("{} {}", name, value),
               .reason = "unknown value",
               .hint = values_hint(value, choices),
               .exit = Exit::usage};
}

bool is_decimal(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

// "Value 200000 not in range 0 to 100000"; the parser gives the same text for a word that is not a
// number.
std::optional<Error> out_of_range(const CLI::Option& option, const std::string& name,
                                  const std::string& what) {
  constexpr std::string_view before = "Value ";
  constexpr std::string_view between = " not in range ";
  const std::size_t at = what.find(between);
  if (!what.starts_with(before) || at == std::string::npos) return std::nullopt;
  const std::string value = what.substr(before.size(), at - before.size());
  if (!is_decimal(value)) {
    return Error{.attempt = "use",
                 .subject = fmt::format("{} {}", name, value),
                 .reason = "it is not a number",
                 .hint = fmt::format("write {} {}", name, option.get_type_name()),
                 .exit = Exit::usage};
  }
  std::string range = what.substr(at + between.size());
  constexpr std::string_view zeros = ".000000";
  for (std::size_t dot = range.find(zeros); dot != std::string::npos; dot = range.find(zeros)) {
    range.erase(dot, zeros.size());
  }
  return Error{
      .attempt = "use",
      .subject = fmt::format("{} {}", name, value),
      .reason = "it is not in the range " + range,
      .hint = fmt::format("write {} {} with a number in that range", name,
                          option.get_type_name().substr(0, option.get_type_name().find(':'))),
      .exit = Exit::usage};
}

Error wrong_value(const CLI::App& command, const CLI::Option& option, const std::string& text) {
  const std::string name = shown_name(option);
  const std::size_t colon = text.find(": ");
  const std::string what = colon == std::string::npos ? text : text.substr(colon + 2);
  if (const auto choice = wrong_choice(name, what)) return *choice;
  if (const auto range = out_of_range(option, name, what)) return *range;
  return {.attempt = "use",
          .subject = name,
          .reason = what,
          .hint = see_help(command),
          .exit = Exit::usage};
}

// "Could not convert: --rounds = many"
Error unreadable_value(const CLI::App& command, const std::string& text) {
  const std::size_t begin = text.find(": ");
  const std::string rest = begin == std::string::npos ? text : text.substr(begin + 2);
  const std::size_t equals = rest.find(" = ");
  const CLI::Option* const option = named_in(command, rest);
  if (option == nullptr || equals == std::string::npos) return mistake(text, see_help(command));
  const bool is_switch = option->get_items_expected_max() == 0;
  return {.attempt = "use",
          .subject = fmt::format("{} {}", shown_name(*option), rest.substr(equals + 3)),
          .reason = is_switch ? "it is a switch" : "it is not a number",
          .hint = is_switch ? fmt::format("write {0}, {0}=yes or {0}=no", shown_name(*option))
                            : fmt::format("write {} {}", shown_name(*option),
                                          option->get_type_name().substr(
                                              0, option->get_type_name().find(':'))),
          .exit = Exit::usage};
}

Error excluded(const CLI::App& command, const std::string& text) {
  const std::size_t between = text.find(" excludes ");
  if (between == std::string::npos) return mistake(text, see_help(command));
  return mistake(fmt::format("{} and {} cannot be combined", text.substr(0, between),
                             text.substr(between + std::string_view(" excludes ").size())),
                 "leave out one of them");
}

template <typename Kind>
bool is_a(const CLI::ParseError& refused) {
  return dynamic_cast<const Kind*>(&refused) != nullptr;
}

Error explained(const CLI::App& program, const CLI::App& command,
                const std::vector<std::string>& words, const CLI::ParseError& refused) {
  const std::string text = refused.what();
  if (const auto* const own = dynamic_cast<const WrongValue*>(&refused)) return own->wrong;
  if (is_a<CLI::ExtrasError>(refused)) {
    const auto extras = program.remaining(true);
    return unexpected_word(command, words, extras.empty() ? "" : extras.front());
  }
  if (is_a<CLI::ConversionError>(refused)) return unreadable_value(command, text);
  if (is_a<CLI::ExcludesError>(refused)) return excluded(command, text);
  const CLI::Option* const option = named_in(command, text);
  if (option == nullptr) return mistake(text, see_help(command));
  if (is_a<CLI::RequiredError>(refused)) return missing_argument(command, *option);
  if (is_a<CLI::ArgumentMismatch>(refused)) return wrong_number(command, *option, words);
  return wrong_value(command, *option, text);
}

}  // namespace

std::optional<Error> unknown_command(const CLI::App& program,
                                     const std::vector<std::string>& words) {
  if (words.empty()) {
    return mistake("no command given",
                   "try it without a cluster: radosload --target sim --pattern randrw4k\n"
                   "  'radosload --help' lists the commands");
  }
  const std::string& word = words.front();
  const auto names = command_names(program);
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) {
    return std::nullopt;
  }
  const std::string reason = fmt::format("there is no command '{}'", printable(word));
  if (const auto ours = rados_bench_as_ours(words)) {
    return mistake(reason, "to do the same: " + *ours);
  }
  const std::string as_pattern =
      is_pattern(word)
          ? fmt::format("'{0}' is a pattern: radosload --pool POOL --pattern {0}", printable(word))
          : std::string();
  std::string near(command_for(word));
  if (near.empty() && !as_pattern.empty()) return mistake(reason, as_pattern);
  if (near.empty()) near = nearest_word(word, names);
  if (!as_pattern.empty()) {
    return mistake(reason, fmt::format("did you mean 'radosload {}'?\n  {}", near, as_pattern));
  }
  constexpr std::string_view list = "'radosload --help' lists the commands";
  return mistake(reason, near.empty() ? std::string(list)
                                      : fmt::format("did you mean 'radosload {}'? {}", near, list));
}

Error usage_error(const CLI::App& program, const std::vector<std::string>& words,
                  const CLI::ParseError& refused) {
  const auto commands = program.get_subcommands(
      [&words](const CLI::App* one) { return one->get_name() == words[0]; });
  if (commands.empty()) return mistake(refused.what(), "see 'radosload --help'");
  const CLI::App* const command = commands.front();
  if (command->get_name() == "run") {
    if (const auto ours = rados_bench_as_ours(words)) {
      return mistake("'bench' is a command of rados, not of radosload", "to do the same: " + *ours);
    }
  }
  if (const auto unknown = find_wrong_option(program, *command, words)) return *unknown;
  return explained(program, *command, words, refused);
}

}  // namespace radosload::cli
