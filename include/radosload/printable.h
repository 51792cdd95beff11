// Escapes control sequences in text that comes from clusters, records and other users, so that a
// terminal shows them instead of obeying them.
#pragma once

#include <string>
#include <string_view>

namespace radosload {

// For a name, within a line: C0 and C1 controls, DEL, and characters that reorder or hide text
// (bidi marks, zero widths, line separators, tags) become \u001b, which JSON reads back as the same
// text; bytes that are not UTF-8 become \xff.
std::string printable(std::string_view name);
// For whole texts: the same, but their newlines and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace radosload
