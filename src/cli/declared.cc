#include "cli/declared.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

namespace {

bool is_choice(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// "uniform|zipf[:THETA]" has two choices, "FILE|none" one; "{text,json}" is CLI11's own form.
std::vector<std::string> choices_in(std::string_view value) {
  std::vector<std::string> choices;
  const bool braces = value.starts_with('{') && value.ends_with('}');
  if (braces) value = value.substr(1, value.size() - 2);
  const char between = braces ? ',' : '|';
  if (!braces && value.find(between) == std::string_view::npos) return choices;
  while (!value.empty()) {
    const std::size_t end = std::min(value.find(between), value.size());
    const std::string_view word = value.substr(0, std::min(value.find('['), end));
    if (is_choice(word)) choices.emplace_back(word);
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  return choices;
}

Offer offer_for(const std::string& value) {
  if (value.find("key=value") != std::string::npos || value == "PATTERN") return Offer::patterns;
  if (value == "TOPIC") return Offer::topics;
  if (value.find("FOLDER") != std::string::npos) return Offer::folders;
  if (value.starts_with("RUN") || value.starts_with("SERIES")) return Offer::runs;
  if (value.find("FILE") != std::string::npos) return Offer::files;
  return Offer::nothing;
}

// CLI11 appends a validator's own description after a colon: "KIND:{rados,rbd}".
void take_value(const CLI::Option& option, Option& into) {
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(":{");
  into.value = type.substr(0, colon);
  into.choices = choices_in(colon == std::string::npos ? type : type.substr(colon + 1));
  if (into.value == "TEXT" && !into.choices.empty()) {
    into.value = fmt::format("{}", fmt::join(into.choices, "|"));
  }
  if (into.positional) into.value = into.names.front();
  into.offer = offer_for(into.value);
}

Option option_of(const CLI::Option& option) {
  Option found;
  found.positional = !option.nonpositional();
  if (found.positional) found.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) found.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) found.names.push_back("--" + name);
  if (option.get_items_expected_max() != 0) take_value(option, found);
  found.help = option.get_description();
  found.initial = option.get_default_str();
  found.required = option.get_required();
  found.repeated = option.get_items_expected_max() > 1;
  return found;
}

constexpr std::string_view general_title = "General options";

bool is_general(const CLI::Option& option) {
  return option.check_name("--help") || option.check_name("--no-config") ||
         option.check_name("--version");
}

std::vector<OptionGroup> option_groups(const CLI::App& command) {
  std::vector<OptionGroup> groups;
  for (const CLI::Option* const option : command.get_options()) {
    std::string title = option->get_group();
    if (title.empty()) continue;                                  // hidden
    if (title == "Options" || title == "OPTIONS") title.clear();  // depends on the version of CLI11
    if (is_general(*option)) title = general_title;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const OptionGroup& one) { return one.title == title; });
    if (group == groups.end())
      group = groups.insert(groups.end(), OptionGroup{.title = title, .options = {}});
    group->options.push_back(option_of(*option));
  }
  // The command's own options come first; options of every command come last.
  std::stable_partition(groups.begin(), groups.end(),
                        [](const OptionGroup& group) { return group.title.empty(); });
  std::stable_partition(groups.begin(), groups.end(),
                        [](const OptionGroup& group) { return group.title != general_title; });
  return groups;
}

constexpr std::string_view examples_title = "Examples:\n";

// The paragraphs of the footer before the examples.
std::string about_of(const std::string& footer) {
  std::string about = footer.substr(0, footer.find(examples_title));
  while (about.ends_with('\n')) about.pop_back();
  return about;
}

std::string examples_of(const std::string& footer) {
  const std::size_t begin = footer.find(examples_title);
  return begin == std::string::npos ? std::string() : footer.substr(begin + examples_title.size());
}

}  // namespace

std::vector<Option> Command::options() const {
  std::vector<Option> all;
  for (const OptionGroup& one : groups) {
    all.insert(all.end(), one.options.begin(), one.options.end());
  }
  return all;
}

Command declared_command(const CLI::App& command) {
  const std::string footer = command.get_footer();
  return {.name = command.get_name(),
          .group = command.get_group(),
          .summary = command.get_description(),
          .about = about_of(footer),
          .groups = option_groups(command),
          .examples = examples_of(footer)};
}

Program declared(const CLI::App& program) {
  Program found{.own = declared_command(program), .commands = {}};
  for (const CLI::App* const command : program.get_subcommands({})) {
    found.commands.push_back(declared_command(*command));
  }
  return found;
}

}  // namespace radosload::cli
