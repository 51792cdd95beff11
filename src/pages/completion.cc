#include "pages/completion.h"

#include <string_view>
#include <vector>

#include "pages/completion_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::pages {

using cli::Command;
using cli::Offer;
using cli::Option;
using cli::Program;

namespace {

// The parts that do not depend on what is declared. COMP_WORDS is not taken as it is: readline
// parts words at = and :, which stand within words here.
constexpr std::string_view frame = R"bash(
# The word before the cursor, as it was typed.
_radosload_word() {
    local line=${COMP_LINE:0:COMP_POINT}
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] || REPLY=${words[-1]}
}

# What readline replaces is only what follows the last = or : of the word.
_radosload_answer() {
    local kept=${1%"${1##*[=:]}"} i
    for i in "${!COMPREPLY[@]}"; do
        COMPREPLY[i]=${COMPREPLY[i]#"$kept"}
    done
}

# NAME[,key=value...]: names first, then keys.
_radosload_pattern() {
    local word=$1 before=${1%,*}
    if [[ $word != *,* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$_radosload_patterns" -- "$word")
    elif [[ ${word##*,} != *=* ]]; then
        mapfile -t COMPREPLY < <(compgen -P "$before," -S = -W "$_radosload_keys" -- "${word##*,}")
        compopt -o nospace 2>/dev/null
    fi
}

# Saved runs, by the names of their files.
_radosload_runs() {
    local folder=${XDG_STATE_HOME:-$HOME/.local/state}/radosload/runs file
    local -a names=(last)
    for file in "$folder"/*.json; do
        file=${file##*/}
        [[ $file == '*.json' ]] || names+=("${file%.json}")
    done
    mapfile -t COMPREPLY < <(compgen -W "${names[*]}" -- "$1"; compgen -f -- "$1")
}

# _radosload_value OPTION-OR-POSITION WORD
_radosload_value() {
    local choices='' offer=''
    _radosload_declared "$1"
    case $offer in
        patterns) _radosload_pattern "$2" ;;
        runs) _radosload_runs "$2" ;;
        files) mapfile -t COMPREPLY < <(compgen -f -W "$choices" -- "$2") ;;
        folders) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$2") ;;
    esac
    [[ $offer != files && $offer != folders && $offer != runs ]] || compopt -o filenames 2>/dev/null
}

_radosload() {
    local REPLY='' command='' options='' takes_value='' position='' word last=''
    local -a words
    COMPREPLY=()
    _radosload_word
    read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
    [[ -z $REPLY ]] || unset 'words[-1]'
    [[ ${#words[@]} -le 1 ]] || command=${words[1]}
    [[ ${#words[@]} -le 1 ]] || last=${words[-1]}
    # "run" may be left out.
    [[ $command != -* || $command == -h || $command == --help ]] || command=run
    if [[ -z $command ]]; then
        word="$_radosload_commands"
        [[ $REPLY != -* ]] || { _radosload_options run; word="$options --help --version"; }
        mapfile -t COMPREPLY < <(compgen -W "$word" -- "$REPLY")
        return
    fi
    _radosload_options "$command"
    if [[ $REPLY == --*=* ]]; then
        _radosload_value "$command ${REPLY%%=*}" "${REPLY#*=}"
        word=${REPLY%%=*}=
        COMPREPLY=("${COMPREPLY[@]/#/$word}")
    elif [[ " $takes_value " == *" $last "* ]]; then
        _radosload_value "$command $last" "$REPLY"
    elif [[ $REPLY == -* || -z $position ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$REPLY")
    else
        _radosload_value "$command $position" "$REPLY"
    fi
    _radosload_answer "$REPLY"
}

complete -F _radosload radosload
)bash";

std::string list(const char* name, const std::vector<std::string>& words) {
  return fmt::format("{}='{}'\n", name, fmt::join(words, " "));
}

// One case of _radosload_options: what the command takes.
std::string options_case(const Command& command) {
  std::vector<std::string> all;
  std::vector<std::string> with_value;
  std::string position;
  for (const Option& option : command.options()) {
    if (option.positional) {
      position = option.names.front();
      continue;
    }
    for (const std::string& name : option.names) {
      // Short ones are typed faster than they are completed.
      if (name.starts_with("--")) all.push_back(name);
      if (!option.value.empty()) with_value.push_back(name);
    }
  }
  return fmt::format(
      "        {})\n            options='{}'\n            takes_value='{}'\n"
      "            position='{}' ;;\n",
      command.name, fmt::join(all, " "), fmt::join(with_value, " "), position);
}

constexpr std::string_view name_of(Offer offer) {
  switch (offer) {
    case Offer::files:
      return "files";
    case Offer::folders:
      return "folders";
    case Offer::patterns:
      return "patterns";
    case Offer::runs:
      return "runs";
    case Offer::topics:
    case Offer::nothing:
      break;
  }
  return "";
}

// One case of _radosload_declared, for options whose values are known; otherwise nothing.
std::string value_case(const Program& program, const Command& command, const Option& option) {
  const auto choices = choices_of(program, option);
  if (choices.empty() && name_of(option.offer).empty()) return {};
  std::vector<std::string> words;
  for (const std::string& name : option.names) {
    words.push_back(fmt::format("'{} {}'", command.name, name));
  }
  return fmt::format("        {}) choices='{}' offer='{}' ;;\n", fmt::join(words, " | "),
                     fmt::join(choices, " "), name_of(option.offer));
}

}  // namespace

std::string bash_completion(const Program& program) {
  std::vector<std::string> names;
  std::string options;
  std::string values;
  for (const Command& command : program.commands) {
    names.push_back(command.name);
    options += options_case(command);
    for (const Option& option : command.options()) values += value_case(program, command, option);
  }
  return "# bash completion for radosload, written by the build from the declaration of the\n"
         "# command line.\n\n" +
         list("_radosload_commands", names) + list("_radosload_patterns", pattern_names()) +
         list("_radosload_keys", key_names()) +
         fmt::format("\n_radosload_options() {{\n    case $1 in\n{}    esac\n}}\n", options) +
         fmt::format("\n_radosload_declared() {{\n    case $1 in\n{}    esac\n}}\n", values) +
         std::string(frame);
}

}  // namespace radosload::pages
