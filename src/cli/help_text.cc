#include "cli/help_text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/declared.h"
#include "report/layout.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

constexpr std::size_t margin = 2;
constexpr std::size_t option_column = 30;   // the column of an option's text
constexpr std::size_t command_column = 14;  // the column of a command's text

// "-p, --pool POOL"; a name without a letter is aligned with the long names.
std::string head_of(const Option& option) {
  if (option.positional) return option.names.front();
  std::string head = option.names.front().starts_with("--") ? "    " : "";
  for (std::size_t i = 0; i < option.names.size(); ++i) {
    head += (i == 0 ? "" : ", ") + option.names[i];
  }
  return option.value.empty() ? head : head + " " + option.value;
}

std::string text_of(const Option& option) {
  std::string text = option.help;
  if (option.required) text += " (required)";
  if (!option.initial.empty()) text += fmt::format(" [{}]", option.initial);
  return text;
}

// A head that is longer than its column gets its own line.
std::string entry(const std::string& head, const std::string& text, std::size_t column) {
  const std::size_t label_width = column - margin;
  const bool beside = head.size() + 2 <= label_width;
  const std::string above = beside ? "" : std::string(margin, ' ') + head + "\n";
  return above + report::paragraph(beside ? head : "", text, margin, label_width, page_columns);
}

std::string wrapped(std::string_view paragraphs) {
  std::string text;
  while (!paragraphs.empty()) {
    const std::string_view one = paragraphs.substr(0, paragraphs.find("\n\n"));
    std::string line(one);
    for (char& letter : line) letter = letter == '\n' ? ' ' : letter;
    text += "\n" + report::paragraph("", line, 0, 0, page_columns);
    paragraphs.remove_prefix(std::min(one.size() + 2, paragraphs.size()));
  }
  return text;
}

std::string list_of(const std::string& title, const std::vector<Option>& options, bool positional) {
  std::string text;
  for (const Option& option : options) {
    if (option.positional == positional) {
      text += entry(head_of(option), text_of(option), option_column);
    }
  }
  return text.empty() ? text : fmt::format("\n{}:\n{}", title, text);
}

std::string options_text(const Command& command) {
  std::string text = list_of("Arguments", command.options(), true);
  for (const OptionGroup& group : command.groups) {
    text += list_of(group.title.empty() ? "Options" : group.title, group.options, false);
  }
  return text;
}

std::string usage_of(const Command& command) {
  std::string text = fmt::format("Usage: radosload {}", command.name);
  for (const Option& option : command.options()) {
    if (!option.positional) continue;
    const std::string name = option.names.front() + (option.repeated ? "..." : "");
    text += option.required ? " " + name : fmt::format(" [{}]", name);
  }
  return text + " [OPTION]...\n";
}

std::string examples_text(const Command& command) {
  return command.examples.empty() ? "" : "\nExamples:\n" + command.examples;
}

std::string command_help(const CLI::App& app) {
  const Command command = declared_command(app);
  return usage_of(command) + wrapped(command.summary) + wrapped(command.about) +
         options_text(command) + "\nValues in [brackets] are defaults.\n" + examples_text(command);
}

std::string commands_text(const Program& program) {
  std::vector<std::string> titles;
  for (const Command& command : program.commands) {
    if (std::find(titles.begin(), titles.end(), command.group) == titles.end()) {
      titles.push_back(command.group);
    }
  }
  std::string text;
  for (const std::string& title : titles) {
    text += fmt::format("\n{}:\n", title);
    for (const Command& command : program.commands) {
      if (command.group == title) text += entry(command.name, command.summary, command_column);
    }
  }
  return text;
}

std::string program_help(const CLI::App& app) {
  const Program program = declared(app);
  return "Usage: radosload [run] [OPTION]...\n"
         "       radosload COMMAND [OPTION]...\n" +
         wrapped(program.own.summary) + commands_text(program) + options_text(program.own) +
         examples_text(program.own);
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    return app->get_parent() == nullptr ? program_help(*app) : command_help(*app);
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<HelpFormatter>();
}

}  // namespace radosload::cli
