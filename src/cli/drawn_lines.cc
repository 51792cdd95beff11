#include "cli/drawn_lines.h"

#include "cli/output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace radosload::cli {

// Moves up by the lines drawn, and clears everything from there on.
std::string DrawnLines::wiping() const {
  return m_drawn > 0 ? fmt::format("\x1b[{}A\r\x1b[J", m_drawn) : std::string();
}

void DrawnLines::show(const std::vector<std::string>& lines) {
  draw(wiping(), fmt::format("{}\n", fmt::join(lines, "\n")));
  m_drawn = lines.size();
}

void DrawnLines::wipe() {
  if (m_drawn > 0) draw(wiping(), "");
  m_drawn = 0;
}

}  // namespace radosload::cli
