// What completion offers for values, for every shell: names of patterns and keys, choices of
// options.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/declared.h"

namespace radosload::pages {

// Patterns and suites, each with its summary.
std::vector<std::pair<std::string, std::string>> patterns_with_summaries();
std::vector<std::string> pattern_names();
std::vector<std::string> key_names();

// The values of the option that are known; of `help`, its topics and the commands.
std::vector<std::string> choices_of(const cli::Program& program, const cli::Option& option);

// With each of the characters in `special` behind a backslash.
std::string with_backslashes(std::string_view text, std::string_view special);

}  // namespace radosload::pages
