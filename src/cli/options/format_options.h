// Declares --format and --json for every command, so that they mean the same everywhere: --json is
// short for --format json.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace radosload::cli {

struct FormatChoice {
  std::vector<std::string> names = {"text", "json"};  // must include "json"
  std::string help = "what to print on stdout";
  std::string other_name = {};  // another name for --format, with its dashes
};

// `format` holds the default and is set to the given name. An unknown name, or --json with another
// format, is a usage error.
void add_format_options(CLI::App& command, std::string& format, const FormatChoice& choice = {});

}  // namespace radosload::cli
