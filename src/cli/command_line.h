// The whole command line as it is declared: every subcommand and option. What is parsed, --help,
// man pages, completion and the check of config files all come from this one declaration.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/log_options.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

struct CommandLine {
  CommandLine();

  CLI::App app;
  Action chosen;  // set by parsing
  bool no_config = false;
  LogOptions log;

  // To be filled in before parsing, by those who have read config files.
  std::set<std::string> from_files;          // options whose value comes from there
  std::map<std::string, std::string> pools;  // names of people's own, and the pools they stand for
  std::vector<std::string> renamed;          // after parsing: which of them were used
};

// An option's name for people and config files: the first long one, without dashes. Empty when
// there is none.
std::string long_name(const CLI::Option& option);

}  // namespace radosload::cli
