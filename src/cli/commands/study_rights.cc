#include "cli/commands/study_rights.h"

#include <algorithm>
#include <utility>

#include "radosload/printable.h"

#include "cli/commands/file_rights.h"
#include "cli/commands/time_cell.h"
#include "plan/options.h"
#include "record/series_store.h"

#include <fmt/format.h>

namespace radosload::cli {

namespace {

// What a refusal shows: a file with more or longer commands must not fill the screen.
constexpr std::size_t most_commands = 20;
constexpr std::size_t longest_command = 300;

struct ShellCommand {
  std::string where;
  std::string text;
};

Error not_permitted(const Resumed& resumed, std::string reason, std::string hint) {
  return {.attempt = "continue the study",
          .subject = resumed.name,
          .reason = std::move(reason),
          .hint = std::move(hint) + "; a study of your own is named without its folder",
          .exit = Exit::refused};
}

// All that the study could run, in the order of its file.
Result<std::vector<ShellCommand>> shell_commands(const study::StudyPlan& plan) {
  std::vector<ShellCommand> commands;
  for (const study::Phase& phase : plan.phases) {
    if (!phase.command.empty()) commands.push_back({"phase " + phase.name, phase.command});
  }
  for (const study::Work& work : plan.works) {
    if (work.what != study::Work::What::timer) continue;
    RADOSLOAD_ASSIGN(const auto restart, restart_command_of(work.words));
    if (!restart.empty()) commands.push_back({"restart of " + work.name, restart});
  }
  return commands;
}

// The beginning of a long one; never half a character.
std::string shortened(const std::string& text) {
  if (text.size() <= longest_command) return printable(text);
  std::size_t end = longest_command;
  const auto continues = [&](std::size_t at) {
    constexpr unsigned marks = 0xc0;
    constexpr unsigned continuation = 0x80;
    return (static_cast<unsigned char>(text[at]) & marks) == continuation;
  };
  while (end > 0 && continues(end)) --end;
  return fmt::format("{} ... and {} bytes more", printable(text.substr(0, end)), text.size() - end);
}

std::string commands_text(const std::vector<ShellCommand>& commands) {
  std::string text;
  const std::size_t shown = std::min(commands.size(), most_commands);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("\n    {}: {}", shortened(commands[i].where), shortened(commands[i].text));
  }
  if (commands.size() > shown) text += fmt::format("\n    and {} more", commands.size() - shown);
  return text;
}

bool shows_all(const std::vector<ShellCommand>& commands) {
  return commands.size() <= most_commands &&
         std::none_of(commands.begin(), commands.end(),
                      [](const ShellCommand& one) { return one.text.size() > longest_command; });
}

}  // namespace

bool Resumed::is_file() const {
  return record::names_a_file(name);
}

Status check_connection(const Resumed& resumed) {
  if (resumed.is_file()) return {};
  for (const std::string& name : resumed.named) {
    const plan::Option* const option = plan::find_option(name);
    if (option == nullptr || option->group != plan::Group::cluster) continue;
    return fail({.attempt = "resume",
                 .subject = resumed.name,
                 .reason = fmt::format("--resume takes all options from the saved study, but --{} "
                                       "is given",
                                       name),
                 .hint = fmt::format("leave out --{0}; to continue with another --{0}, name the "
                                     "study's file: --resume {1}",
                                     name, resumed.path.string()),
                 .exit = Exit::usage});
  }
  return {};
}

Status permit_commands(const Resumed& resumed, const study::StudyPlan& plan) {
  if (!resumed.is_file() || resumed.yes) return {};
  RADOSLOAD_ASSIGN(const auto commands, shell_commands(plan));
  if (commands.empty()) return {};
  const bool one = commands.size() == 1;
  const std::string all =
      shows_all(commands)
          ? ""
          : fmt::format("'radosload report {} --json' shows them in full; ", resumed.name);
  return fail(
      not_permitted(resumed,
                    fmt::format("the file has {}, which a file cannot permit:{}",
                                one ? "a command" : fmt::format("{} commands", commands.size()),
                                commands_text(commands)),
                    all + (one ? "to let the study run it, add --yes"
                               : "to let the study run all of them, add --yes")));
}

Status take_rights_from_words(const Resumed& resumed, study::StudyRunPlans& plans) {
  RunPlan said;
  said.cluster = resumed.cluster;
  for (auto& of_arm : plans) {
    for (RunPlan& plan_of_run : of_arm) {
      if (const auto* const lacking = right_not_given(plan_of_run, said)) {
        return fail(not_permitted(resumed,
                                  fmt::format("the file has --{} ({}), which it cannot permit",
                                              lacking->name, lacking->help),
                                  "begin the study from its YAML file"));
      }
      RADOSLOAD_TRY(replace_rights(plan_of_run, said));
    }
  }
  return {};
}

}  // namespace radosload::cli
