#include "pages/man_page.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cli/prose.h"
#include "pages/roff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::pages {

namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// No date: it would be that of the build, and two builds are to give the same bytes.
std::string head(const std::string& name, int section, const std::string& version) {
  return fmt::format(
      ".\\\" Written by the build from the declaration of the command line.\n"
      ".TH {} {} \"\" \"{}\" \"radosload\"\n.nh\n.ad l\n",
      upper(escaped(name)), section, escaped(version));
}

std::string section(std::string_view title, const std::string& text) {
  return text.empty() ? text : fmt::format(".SH {}\n{}", title, text);
}

std::string name_line(const std::string& name, const std::string& summary) {
  std::string begin = summary.substr(0, 1);
  begin[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(begin[0])));
  return fmt::format("{} \\- {}\n", escaped(name), escaped(begin + summary.substr(1)));
}

std::string topic(std::string_view name) {
  return roff(cli::find_topic(name)->prose());
}

std::string option_head(const Option& option) {
  if (option.positional) return italic(option.names.front());
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + bold(name);
  return option.value.empty() ? text : text + " " + italic(option.value);
}

std::string option_text(const Option& option) {
  std::string text = escaped(option.help);
  if (!option.choices.empty() && option.value == "WORD") {
    text += fmt::format(" ({})", escaped(fmt::format("{}", fmt::join(option.choices, ", "))));
  }
  if (option.required) text += " (required)";
  if (!option.initial.empty()) text += fmt::format(" [{}]", escaped(option.initial));
  return text;
}

std::string options_text(const Command& command) {
  std::string text;
  for (const Group& group : command.groups) {
    if (!group.title.empty()) text += fmt::format(".SS {}\n", escaped(group.title));
    // A list behind a list with a title needs one of its own.
    if (group.title.empty() && command.groups.size() > 1) text += ".SS Other\n";
    for (const Option& option : group.options) {
      text += roff_term(option_head(option), option_text(option));
    }
  }
  return text;
}

std::string synopsis(const Command& command) {
  std::string text = bold("radosload " + command.name);
  text += " [" + italic("OPTION") + "]...";
  for (const Option& option : command.options()) {
    if (!option.positional) continue;
    text += option.required ? " " + italic(option.names.front()) + "..."
                            : " [" + italic(option.names.front()) + "]";
  }
  return text + "\n";
}

std::string page_name(const Command& command) {
  return "radosload-" + command.name;
}

// The names of pages in both fonts: "radosload-run(1)".
std::string reference(const std::string& name, int number) {
  return fmt::format("{}({})", bold(name), number);
}

std::string see_also(const Program& program, const std::string& but) {
  std::string text = but == "radosload" ? "" : reference("radosload", 1);
  for (const Command& command : program.commands) {
    if (page_name(command) == but) continue;
    text += (text.empty() ? "" : ",\n") + reference(page_name(command), 1);
  }
  if (but != "radosload.conf") text += ",\n" + reference("radosload.conf", 5);
  return text + ",\n" + reference("ceph", 8) + "\n";
}

std::string commands_text(const Program& program) {
  std::string text;
  for (const Command& command : program.commands) {
    text += roff_term(reference(page_name(command), 1), escaped(command.summary));
  }
  return text;
}

Page program_page(const Program& program) {
  const std::string word = italic("COMMAND");
  std::string text = head("radosload", 1, program.version);
  text += section("NAME", "radosload \\- load generator for Ceph\n");
  text += section("SYNOPSIS", bold("radosload") + " [" + bold("run") + "] [" + italic("OPTION") +
                                  "]...\n.br\n" + bold("radosload") + " " + word + " [" +
                                  italic("OPTION") + "]...\n");
  std::string about = program.own.summary;
  std::replace(about.begin(), about.end(), '\n', ' ');
  text += section("DESCRIPTION", escaped(about) + "\n");
  text += section("COMMANDS", commands_text(program));
  text += section("OPTIONS", options_text(program.own));
  text += section("EXIT STATUS", topic("exit"));
  text += section("ENVIRONMENT", topic("environment"));
  text += section("FILES", topic("files"));
  text += section("EXAMPLES", roff_code(program.own.examples));
  text += section("SEE ALSO", see_also(program, "radosload"));
  return {.file = "radosload.1", .text = text};
}

Page command_page(const Program& program, const Command& command) {
  const std::string name = page_name(command);
  std::string text = head(name, 1, program.version);
  text += section("NAME", name_line(name, command.summary));
  text += section("SYNOPSIS", synopsis(command));
  // A topic that bears the command's name is about the same thing.
  if (cli::find_topic(command.name) != nullptr) {
    text += section("DESCRIPTION", topic(command.name));
  }
  text += section("OPTIONS", options_text(command));
  text += section("EXIT STATUS", topic("exit"));
  if (!command.examples.empty()) text += section("EXAMPLES", roff_code(command.examples));
  text += section("SEE ALSO", see_also(program, name));
  return {.file = name + ".1", .text = text};
}

Page config_page(const Program& program) {
  std::string text = head("radosload.conf", 5, program.version);
  text += section("NAME", "radosload.conf \\- defaults for radosload, and names for pools\n");
  text += section("DESCRIPTION", topic("config"));
  text += section("SEE ALSO", see_also(program, "radosload.conf"));
  return {.file = "radosload.conf.5", .text = text};
}

}  // namespace

std::vector<Page> man_pages(const Program& program) {
  std::vector<Page> pages = {program_page(program), config_page(program)};
  for (const Command& command : program.commands) {
    pages.push_back(command_page(program, command));
  }
  return pages;
}

}  // namespace radosload::pages
