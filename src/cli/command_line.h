// Declares the whole command line: every command and option. Parsing, --help, man pages, completion
// and the check of config files all use this declaration.
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

  // Values from config files; set before parsing.
  std::set<std::string> from_files;          // options whose values they set
  std::map<std::string, std::string> pools;  // the user's names for pools
  std::vector<std::string> renamed;          // set by parsing: the names that were replaced
};

// An option's name in messages and config files: the first long name, without dashes. Empty when
// there is none.
std::string long_name(const CLI::Option& option);

}  // namespace radosload::cli
