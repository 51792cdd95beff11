#include <string_view>
#include <vector>

#include "pages/completion.h"
#include "pages/completion_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::pages {

namespace {

constexpr std::string_view zsh_head = R"zsh(#compdef radosload
# zsh completion for radosload, written by the build from the declaration of the command line.

# Saved runs, by the names of their files; or a file.
_radosload_runs() {
    local folder=${XDG_STATE_HOME:-$HOME/.local/state}/radosload/runs
    local -a names
    names=(last $folder/*.json(N:t:r))
    _alternative 'runs:run:compadd -a names' 'files:file:_files'
}
)zsh";

constexpr std::string_view zsh_frame = R"zsh(
_radosload() {
    local command=run
    if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
        _radosload_commands
        return
    fi
    # "run" may be left out.
    if [[ $words[2] != -* ]]; then
        command=$words[2]
        shift words
        (( CURRENT-- ))
    fi
    _radosload_arguments $command
}

_radosload "$@"
)zsh";

// Within single quotes.
std::string zsh_quoted(std::string_view text) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      result += "'\\''";
    } else {
      result += letter;
    }
  }
  return result + "'";
}

// "name:text", as _describe takes it.
std::string described(std::string_view name, std::string_view text) {
  return zsh_quoted(fmt::format("{}:{}", with_backslashes(name, ":"), with_backslashes(text, ":")));
}

// What _arguments does for a value.
std::string action_for(const cli::Program& program, const cli::Option& option) {
  switch (option.offer) {
    case cli::Offer::files:
      return "_files";
    case cli::Offer::folders:
      return "_files -/";
    case cli::Offer::patterns:
      return "_radosload_patterns";
    case cli::Offer::runs:
      return "_radosload_runs";
    case cli::Offer::topics:
    case cli::Offer::nothing:
      break;
  }
  const auto choices = choices_of(program, option);
  return choices.empty() ? " " : fmt::format("({})", fmt::join(choices, " "));
}

std::string value_spec(const cli::Program& program, const cli::Option& option) {
  if (option.value.empty()) return {};
  return fmt::format(":{}:{}", with_backslashes(option.value, ":"), action_for(program, option));
}

std::string specs_of(const cli::Program& program, const cli::Command& command) {
  std::string text;
  std::size_t place = 0;
  for (const cli::Option& option : command.options()) {
    const std::string value = value_spec(program, option);
    if (option.positional) {
      ++place;
      text += fmt::format(" \\\n            {}",
                          zsh_quoted((option.repeated ? "*" : std::to_string(place)) + value));
      continue;
    }
    const std::string others = fmt::format("({})", fmt::join(option.names, " "));
    const std::string help = with_backslashes(option.help, "[]\\");
    for (const std::string& name : option.names) {
      const std::string_view equals = value.empty() || !name.starts_with("--") ? "" : "=";
      text +=
          fmt::format(" \\\n            {}",
                      zsh_quoted(fmt::format("{}{}{}[{}]{}", others, name, equals, help, value)));
    }
  }
  return text;
}

std::string patterns_function() {
  std::string names;
  for (const auto& [name, summary] : patterns_with_summaries()) {
    names += fmt::format("        {}\n", described(name, summary));
  }
  return fmt::format(R"zsh(
# NAME[,key=value...]: names first, then keys.
_radosload_patterns() {{
    local -a names keys
    names=(
{}    )
    keys=({}=)
    if compset -P '*,'; then
        [[ $PREFIX == *=* ]] || compadd -S '' -a keys
    else
        _describe -t patterns pattern names
    fi
}}
)zsh",
                     names, fmt::join(key_names(), "= "));
}

}  // namespace

std::string zsh_completion(const cli::Program& program) {
  std::string names;
  std::string cases;
  for (const cli::Command& command : program.commands) {
    names += fmt::format("        {}\n", described(command.name, command.summary));
    cases += fmt::format("        {})\n            _arguments{} ;;\n", command.name,
                         specs_of(program, command));
  }
  return std::string(zsh_head) + patterns_function() +
         fmt::format(
             "\n_radosload_commands() {{\n    local -a known\n    known=(\n{}    )\n"
             "    _describe -t commands command known\n}}\n",
             names) +
         fmt::format("\n_radosload_arguments() {{\n    case $1 in\n{}    esac\n}}\n", cases) +
         std::string(zsh_frame);
}

}  // namespace radosload::pages
