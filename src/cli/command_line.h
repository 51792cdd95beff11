// The declaration of the whole command line: every command and option. Parsing, --help, man pages,
// completion and the check of config files all use this one declaration.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/commands/command.h"
#include "cli/options/display_options.h"
#include "cli/options/log_options.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

struct CommandLine {
  CommandLine();

  CLI::App app;
  Action chosen;  // set by parsing
  bool no_config = false;
  LogOptions log;
  DisplayOptions display;

  // From config files; set before parsing.
  std::set<std::string> from_files;          // options whose values they set
  std::map<std::string, std::string> pools;  // the user's names for pools
  std::vector<std::string> renamed;          // set by parsing: the names that were used
};

// An option's name for people and config files: the first long one, without dashes. Empty when
// there is none.
std::string long_name(const CLI::Option& option);

}  // namespace radosload::cli
