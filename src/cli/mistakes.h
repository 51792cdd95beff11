// Messages for wrong command lines: which option or word is wrong, why, and what to type instead.
// The texts of the parser are not shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "radosload/result.h"

#include <CLI/CLI.hpp>

namespace radosload::cli {

// The first word names no command (or there is no word at all); nothing when it does.
std::optional<Error> unknown_command(const CLI::App& program,
                                     const std::vector<std::string>& words);

// The error for words that the parser has refused; the first of them names a command.
Error usage_error(const CLI::App& program, const std::vector<std::string>& words,
                  const CLI::ParseError& refused);

}  // namespace radosload::cli
