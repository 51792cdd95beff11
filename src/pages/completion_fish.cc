#include <string_view>
#include <vector>

#include "pages/completion.h"
#include "pages/completion_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::pages {

namespace {

constexpr std::string_view fish_head =
    R"fish(# fish completion for radosload, written by the build from the declaration of the command line.

# The command in the line; "run" may be left out.
function __radosload_command
    set -l words (commandline -opc)
    if test (count $words) -gt 1; and not string match -q -- '-*' $words[2]
        echo $words[2]
    else
        echo run
    end
end

function __radosload_is
    test (__radosload_command) = $argv[1]
end

function __radosload_needs_command
    test (count (commandline -opc)) -eq 1
end

# Saved runs, by the names of their files.
function __radosload_runs
    set -l state $XDG_STATE_HOME
    test -n "$state"; or set state $HOME/.local/state
    echo last
    for file in $state/radosload/runs/*.json
        string replace -r '.*/(.*)\\.json$' '$1' -- $file
    end
end
)fish";

std::string fish_quoted(std::string_view text) {
  return "'" + with_backslashes(text, "'\\") + "'";
}

std::string patterns_functions() {
  std::string names;
  for (const auto& [name, summary] : patterns_with_summaries()) {
    names += fmt::format("        printf '%s\\t%s\\n' {} {}\n", name, fish_quoted(summary));
  }
  return fmt::format(R"fish(
# NAME[,key=value...]: names first, then keys.
function __radosload_patterns
    set -l word (string replace -r '^--[a-z]+=' '' -- (commandline -ct))
    if string match -q -- '*,*' $word
        set -l before (string replace -r '[^,]*$' '' -- $word)
        printf '%s\n' $before{{{}}}=
    else
{}    end
end

complete -c radosload -f
)fish",
                     fmt::join(key_names(), ","), names);
}

// What fish offers for the value of an option, or for an argument.
std::string offered(const cli::Program& program, const cli::Option& option) {
  switch (option.offer) {
    case cli::Offer::files:
      return " -F";
    case cli::Offer::folders:
      return " -a '(__fish_complete_directories)'";
    case cli::Offer::patterns:
      return " -a '(__radosload_patterns)'";
    case cli::Offer::runs:
      return " -F -a '(__radosload_runs)'";
    case cli::Offer::topics:
    case cli::Offer::nothing:
      break;
  }
  const auto choices = choices_of(program, option);
  return choices.empty() ? "" : fmt::format(" -a '{}'", fmt::join(choices, " "));
}

std::string line_of(const cli::Program& program, const cli::Command& command,
                    const cli::Option& option) {
  std::string line = fmt::format("complete -c radosload -n '__radosload_is {}'", command.name);
  if (option.positional) {
    const std::string offer = offered(program, option);
    return offer.empty() ? offer : line + offer + "\n";
  }
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  // -x: a value that is not a file.
  const bool file = option.offer == cli::Offer::files || option.offer == cli::Offer::runs;
  if (!option.value.empty()) line += (file ? " -r" : " -x") + offered(program, option);
  return fmt::format("{} -d {}\n", line, fish_quoted(option.help));
}

}  // namespace

std::string fish_completion(const cli::Program& program) {
  std::string text = std::string(fish_head) + patterns_functions();
  for (const cli::Command& command : program.commands) {
    text += fmt::format("complete -c radosload -n __radosload_needs_command -a {} -d {}\n",
                        command.name, fish_quoted(command.summary));
  }
  for (const cli::Command& command : program.commands) {
    for (const cli::Option& option : command.options()) text += line_of(program, command, option);
  }
  return text;
}

}  // namespace radosload::pages
