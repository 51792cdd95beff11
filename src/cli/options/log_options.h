// Declares -v, --log-level and --log-file for every command: the log of what radosload does on the
// cluster (base/log.h).
#pragma once

#include <string>
#include <vector>

#include "radosload/result.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

struct LogOptions {
  bool verbose = false;
  std::string level;
  std::string file;
};

void add_log_options(CLI::App& command, LogOptions& options);

// Starts the log if an option requests it; its first line is the command line.
Status start_log(const LogOptions& options, const std::vector<std::string>& words);
// Writes the last line of the log.
void log_end(int status);

}  // namespace radosload::cli
