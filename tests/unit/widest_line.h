// How wide a text is for a terminal: tables and sentences have to fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>

namespace radosload::views {

inline std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

}  // namespace radosload::views
