// Finds mistakes in the options of a command line: options that the command does not have, and
// options without their value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// A usage error with its reason and its hint.
Error mistake(std::string reason, std::string hint);
// "'radosload status --help' lists the options"
std::string see_help(const CLI::App& command);
// "--pool", or "FILE" for a positional.
std::string shown_name(const CLI::Option& option);

// A word that looks like an option, split: "--qd=4" into "--qd" and "4", "-t16" into "-t" and "16".
struct OptionWord {
  std::string name;
  std::string value;
  bool joined = false;  // the value is part of the word
};

OptionWord option_word(const std::string& word);

// "--pool needs a value"; `next`: the option that follows instead of the value, or empty.
Error value_missing(const CLI::Option& option, const std::string& next);

// The first option that the command does not have, or that lacks its value. The first word is the
// command.
std::optional<Error> find_wrong_option(const CLI::App& program, const CLI::App& command,
                                       const std::vector<std::string>& words);

}  // namespace radosload::cli
