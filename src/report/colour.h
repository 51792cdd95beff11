// Adds terminal colours to a finished text: verdicts, errors, warnings and the slow OSD. Control
// characters in the text are already escaped, so a name cannot add colours. Pure.
#pragma once

#include <string>
#include <string_view>

namespace radosload::report {

// Colours a result or a frame of the live view by the labels at the beginning of its lines. Does
// not change the text.
std::string coloured(std::string_view lines);

// Colours the first word of a message, "radosload:".
std::string coloured_warning(std::string_view text);
std::string coloured_error(std::string_view text);

}  // namespace radosload::report
