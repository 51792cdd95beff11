// Text as roff. Everything that roff would take for a command or would change (hyphens, quotes) is
// escaped, so that words copied from a page can be typed.
#pragma once

#include <string>
#include <string_view>

#include "cli/prose.h"

namespace radosload::pages {

std::string escaped(std::string_view text);
std::string bold(std::string_view text);
std::string italic(std::string_view text);

// Each with a newline at the end.
std::string roff(const cli::Prose& prose);
std::string roff_code(std::string_view lines);
std::string roff_term(const std::string& head, const std::string& text);  // both escaped already

}  // namespace radosload::pages
