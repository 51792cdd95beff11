// Completion for bash, zsh and fish: commands, options, values, patterns and their keys. It asks
// neither a cluster nor radosload itself, so that a Tab never hangs.
#pragma once

#include <string>

#include "cli/declared.h"

namespace radosload::pages {

std::string bash_completion(const cli::Program& program);
std::string zsh_completion(const cli::Program& program);
std::string fish_completion(const cli::Program& program);

}  // namespace radosload::pages
