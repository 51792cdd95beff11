#include "pages/man_page.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cli/prose.h"
#include "pages/roff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::pages {

using cli::Command;
using cli::Option;
using cli::OptionGroup;
using cli::Program;
using cli::Topic;

namespace {

constexpr const char* version = "radosload " RADOSLOAD_VERSION;

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// No date: it would be that of the build, and two builds are to give the same bytes.
std::string head(const std::string& name, int section) {
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
  if (option.required) text += " (required)";
  if (!option.initial.empty()) text += fmt::format(" [{}]", escaped(option.initial));
  return text;
}

std::string options_text(const Command& command) {
  std::string text;
  for (const OptionGroup& group : command.groups) {
    if (!group.title.empty()) text += fmt::format(".SS {}\n", escaped(group.title));
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
    const std::string name = italic(option.names.front()) + (option.repeated ? "..." : "");
    text += option.required ? " " + name : " [" + name + "]";
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

// "radosload-patterns(7)" of a topic that has a page.
std::string topic_reference(const Topic& topic) {
  return reference(std::string(topic.page), topic.section);
}

// All other pages; `own` is the reference to the page itself.
std::string see_also(const Program& program, const std::string& own) {
  std::vector<std::string> pages = {reference("radosload", 1)};
  for (const Command& command : program.commands) {
    pages.push_back(reference(page_name(command), 1));
  }
  for (const Topic& topic : cli::topics()) {
    if (!topic.page.empty()) pages.push_back(topic_reference(topic));
  }
  pages.push_back(reference("ceph", 8));
  std::erase(pages, own);
  return fmt::format("{}\n", fmt::join(pages, ",\n"));
}

std::string commands_text(const Program& program) {
  std::string text;
  for (const Command& command : program.commands) {
    text += roff_term(reference(page_name(command), 1), escaped(command.summary));
  }
  return text;
}

// Paragraphs that are separated by an empty line.
std::string paragraphs(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find("\n\n"));
    result += fmt::format("{}{}\n", result.empty() ? "" : ".PP\n", escaped(one));
    text.remove_prefix(std::min(one.size() + 2, text.size()));
  }
  return result;
}

Page program_page(const Program& program) {
  const std::string word = italic("COMMAND");
  std::string text = head("radosload", 1);
  text += section("NAME", "radosload \\- load generator for Ceph\n");
  text += section("SYNOPSIS", bold("radosload") + " [" + bold("run") + "] [" + italic("OPTION") +
                                  "]...\n.br\n" + bold("radosload") + " " + word + " [" +
                                  italic("OPTION") + "]...\n");
  text += section("DESCRIPTION", escaped(program.own.summary) + "\n");
  text += section("COMMANDS", commands_text(program));
  text += section("OPTIONS", options_text(program.own));
  text += section("EXIT STATUS", topic("exit"));
  text += section("ENVIRONMENT", topic("environment"));
  text += section("FILES", topic("files"));
  text += section("EXAMPLES", roff_code(program.own.examples));
  text += section("SEE ALSO", see_also(program, reference("radosload", 1)));
  return {.file = "radosload.1", .text = text};
}

Page command_page(const Program& program, const Command& command) {
  const std::string name = page_name(command);
  const std::string about = command.about.empty() ? command.summary + "." : command.about;
  std::string text = head(name, 1);
  text += section("NAME", name_line(name, command.summary));
  text += section("SYNOPSIS", synopsis(command));
  text += section("DESCRIPTION", paragraphs(about));
  text += section("OPTIONS", options_text(command));
  text += section("EXIT STATUS", topic("exit"));
  text += section("EXAMPLES", roff_code(command.examples));
  text += section("SEE ALSO", see_also(program, reference(name, 1)));
  return {.file = name + ".1", .text = text};
}

Page topic_page(const Program& program, const Topic& topic) {
  const std::string name(topic.page);
  std::string text = head(name, topic.section);
  text += section("NAME", name_line(name, std::string(topic.summary)));
  text += section("DESCRIPTION", roff(topic.prose()));
  text += section("SEE ALSO", see_also(program, topic_reference(topic)));
  return {.file = fmt::format("{}.{}", name, topic.section), .text = text};
}

}  // namespace

std::vector<Page> man_pages(const Program& program) {
  std::vector<Page> pages = {program_page(program)};
  for (const Command& command : program.commands) {
    pages.push_back(command_page(program, command));
  }
  for (const Topic& topic : cli::topics()) {
    if (!topic.page.empty()) pages.push_back(topic_page(program, topic));
  }
  return pages;
}

}  // namespace radosload::pages
