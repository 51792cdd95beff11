// The options --format and --json, declared in one place for every command, so that they mean the
// same everywhere: --json is short for --format json.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace radosload::cli {

struct FormatChoice {
  std::vector<std::string> names = {"text", "json"};  // "json" is among them
  std::string help = "what to print on stdout";
  std::string other_name = {};  // another name for --format, with its dashes
};

// `format` holds the default and then the name that was given. Another name is a usage error with
// the names there are; so is --json beside another format.
void add_format_options(CLI::App& command, std::string& format, const FormatChoice& choice = {});

}  // namespace radosload::cli
