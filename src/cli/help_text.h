// What --help prints: usage, summary, options in their groups with defaults, examples; at most 80
// columns wide.
#pragma once

#include <cstddef>
#include <memory>

#include <CLI/CLI.hpp>

namespace radosload::cli {

// Wide enough for every terminal, and still readable on a wide one.
inline constexpr std::size_t page_columns = 80;

// For CLI11, which asks it for the help of the program and of each command.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace radosload::cli
