// Messages for wrong command lines: the wrong option or word, the reason, and what to type instead.
// They replace the texts of the parser.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// The error if the first word is not a command, or there are no words.
std::optional<Error> unknown_command(const CLI::App& program,
                                     const std::vector<std::string>& words);

// The error for a command line that the parser has refused; its first word is a command.
Error usage_error(const CLI::App& program, const std::vector<std::string>& words,
                  const CLI::ParseError& refused);

}  // namespace radosload::cli
