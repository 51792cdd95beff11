// Completion for bash: commands, options, values, patterns and their keys. It asks neither a
// cluster nor radosload itself, so that a Tab never hangs.
#pragma once

#include <string>

#include "pages/declared.h"

namespace radosload::pages {

std::string bash_completion(const Program& program);

}  // namespace radosload::pages
