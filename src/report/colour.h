// Colours for a terminal, put into a finished text: verdicts, errors, warnings and the slow OSD.
// What comes in is printable already, so no name can bring colours of its own. Pure.
#pragma once

#include <string>
#include <string_view>

namespace radosload::report {

// Of a result, or of a frame of the live view: by the labels that its lines begin with. Adds
// nothing but colours.
std::string coloured(std::string_view lines);

// Of a message: its first word, "radosload:".
std::string coloured_warning(std::string_view text);
std::string coloured_error(std::string_view text);

}  // namespace radosload::report
