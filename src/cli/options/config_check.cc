#include "cli/options/config_check.h"

#include <algorithm>
#include <string_view>

#include "radosload/units.h"

#include "base/suggest.h"
#include "cli/command_line.h"
#include "cli/mistakes.h"
#include "plan/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

std::string belongs_to_pattern(const plan::Option& option) {
  return fmt::format(
      "keys of patterns are not set alone, so that a pattern's name means the same everywhere: "
      "write "
      "pattern = NAME,{}=...",
      option.recorded() ? option.name : option.short_for);
}

// Why a config file must not set this option; empty when it may.
std::string why_not(const CLI::Option& declared) {
  const plan::Option* const option = plan::find_option(long_name(declared));
  if (option != nullptr && option->in_config == plan::InConfig::of_pattern) {
    return belongs_to_pattern(*option);
  }
  if (declared.get_configurable()) return {};
  return "it must be given on the command line of each run";
}

bool is_switch(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

// The options of a command that a section may name, by their long names.
std::map<std::string, const CLI::Option*> options_in(const CLI::App& command, bool cluster_only) {
  const std::string_view cluster = plan::title_of(plan::Group::cluster);
  std::map<std::string, const CLI::Option*> found;
  for (const CLI::Option* const option : command.get_options()) {
    const bool wanted = !cluster_only || option->get_group() == cluster;
    const std::string name = long_name(*option);
    if (wanted && !name.empty()) found.emplace(name, option);
  }
  return found;
}

Declared declared_in(const CLI::App& command) {
  Declared found;
  for (const auto& [name, option] : options_in(command, false)) {
    found.emplace(name, is_switch(*option));
  }
  return found;
}

// The command that has the options of this section. All commands take the same options for the
// cluster, and `status` has no others.
std::string command_of(const std::string& section) {
  return section == cluster_section ? "status" : section;
}

Error unknown(const ConfigEntry& entry, const char* what, const std::string& word,
              const std::vector<std::string>& names) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view near = nearest_word(word, known);
  return config_error(entry, fmt::format("there is no {} '{}'", what, word),
                      near.empty() ? fmt::format("known: {}", fmt::join(names, ", "))
                                   : fmt::format("did you mean '{}'?", near));
}

std::vector<std::string> keys_of(const CLI::App& command, bool cluster_only) {
  std::vector<std::string> keys;
  for (const auto& [key, option] : options_in(command, cluster_only)) {
    if (why_not(*option).empty()) keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> section_names(const CLI::App& app) {
  std::vector<std::string> names = {cluster_section, pools_section};
  for (const CLI::App* const command : app.get_subcommands({})) {
    if (!keys_of(*command, false).empty()) names.push_back(command->get_name());
  }
  return names;
}

// CLI11 expects the words in reverse order.
void parse(CommandLine& line, std::vector<std::string> words) {
  for (CLI::App* const command : line.app.get_subcommands({})) {
    // An option that is required may be set by another file or on the command line.
    for (CLI::Option* const option : command->get_options()) option->required(false);
  }
  std::reverse(words.begin(), words.end());
  line.app.parse(words);
}

Status check_value(const ConfigEntry& entry, bool is_a_switch) {
  if (is_a_switch) {
    if (parse_switch(entry.value)) return {};
    return fail(config_error(entry, fmt::format("'{}' is a switch", entry.key),
                             fmt::format("write {0} = yes or {0} = no", entry.key)));
  }
  CommandLine line;
  try {
    parse(line, {command_of(entry.section), word_of(entry, is_a_switch)});
  } catch (const CLI::ParseError& error) {
    const Error wrong = usage_error(line.app, {command_of(entry.section)}, error);
    const std::string value = fmt::format("{} = {}", entry.key, entry.value);
    return fail(config_error(entry, fmt::format("{}: {}", value, wrong.reason), wrong.hint));
  }
  return {};
}

}  // namespace

std::optional<Given> given_by(const std::vector<std::string>& words) {
  CommandLine line;
  try {
    parse(line, words);
  } catch (const CLI::ParseError&) {
    return std::nullopt;
  }
  const CLI::App& command = *line.app.get_subcommands().front();
  Given given{.command = command.get_name(), .declared = declared_in(command), .options = {}};
  for (const CLI::Option* const option : command.get_options()) {
    if (option->count() == 0) continue;
    const std::string name = long_name(*option);
    given.options.insert(name);
    if (name == "target") {
      const std::string& kind = option->results().front();
      given.pretended = kind == "sim" || kind == "null";
      given.without_cluster = given.pretended || kind == "block";
    }
    if (name == "drive") given.without_cluster = true;
  }
  given.reads_config = !given.options.contains("no-config") && given.command != "help";
  return given;
}

Status check_entry(const ConfigEntry& entry) {
  if (entry.section == pools_section) return {};
  const CommandLine line;
  const auto sections = section_names(line.app);
  if (std::find(sections.begin(), sections.end(), entry.section) == sections.end()) {
    return fail(unknown(entry, "section", entry.section, sections));
  }
  const CLI::App& command = *line.app.get_subcommand(command_of(entry.section));
  const bool cluster_only = entry.section == cluster_section;
  const auto declared = options_in(command, cluster_only);
  const auto option = declared.find(entry.key);
  if (option == declared.end()) {
    return fail(unknown(entry, "option", entry.key, keys_of(command, cluster_only)));
  }
  if (const std::string reason = why_not(*option->second); !reason.empty()) {
    return fail(config_error(entry, fmt::format("'{}' cannot be set here", entry.key), reason));
  }
  return check_value(entry, is_switch(*option->second));
}

std::string word_of(const ConfigEntry& entry, bool is_switch) {
  if (!is_switch) return fmt::format("--{}={}", entry.key, entry.value);
  return parse_switch(entry.value).value_or(false) ? "--" + entry.key : std::string();
}

}  // namespace radosload::cli
