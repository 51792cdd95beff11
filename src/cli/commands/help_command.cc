// `radosload help [TOPIC]`: explains a topic, or prints what --help prints for a command.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggest.h"
#include "cli/commands/command.h"
#include "cli/help_text.h"
#include "cli/output.h"
#include "cli/prose.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

std::string overview(const CLI::App& program) {
  Prose prose = {paragraph("radosload help TOPIC explains one of these topics:")};
  for (const Topic& topic : topics()) {
    prose.push_back(term(std::string(topic.name), std::string(topic.summary)));
  }
  prose.push_back(paragraph("radosload help COMMAND is the same as radosload COMMAND --help:"));
  for (const CLI::App* const command : program.get_subcommands({})) {
    prose.push_back(term(command->get_name(), command->get_description()));
  }
  return plain_text(prose, page_columns);
}

Result<Exit> show_help(const CLI::App& program, const std::string& subject) {
  if (subject.empty()) {
    return print_result(overview(program));
  }
  // If both exist (patterns), the topic explains more than the command's --help.
  if (const Topic* const topic = find_topic(subject)) {
    return print_result(plain_text(topic->prose(), page_columns));
  }
  std::vector<std::string> names;
  for (const Topic& topic : topics()) names.emplace_back(topic.name);
  for (const CLI::App* const command : program.get_subcommands({})) {
    if (command->get_name() == subject) {
      return print_result(command->help("radosload"));
    }
    names.push_back(command->get_name());
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view near = nearest_word(subject, known);
  return fail({.attempt = "explain",
               .subject = "'" + subject + "'",
               .reason = "there is no topic and no command of that name",
               .hint = near.empty() ? "'radosload help' lists topics and commands"
                                    : fmt::format("did you mean '{}'?", near),
               .exit = Exit::usage});
}

}  // namespace

void add_help(CLI::App& program, Action& chosen) {
  auto* const command = program.add_subcommand("help", "Explain a topic or a command");
  auto subject = std::make_shared<std::string>();
  command->add_option("TOPIC", *subject, "topic or command; without it, all are listed")
      ->type_name("");
  command->final_callback([&program, subject, &chosen] {
    chosen = [&program, subject] { return show_help(program, *subject); };
  });
}

}  // namespace radosload::cli
