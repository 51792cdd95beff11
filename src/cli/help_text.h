// The text of --help: usage, summary, options in groups with their defaults, and examples; at most
// 80 columns wide.
#pragma once

#include <cstddef>
#include <memory>

#include <CLI/CLI.hpp>

namespace radosload::cli {

// Fits every terminal, and is still readable on a wide one.
inline constexpr std::size_t page_columns = 80;

// CLI11 calls it for the help of the program and of each command.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace radosload::cli
