// Redraws lines at the end of a terminal on stderr. The caller must limit the number of lines to
// the screen, because lines that have scrolled off the screen cannot be redrawn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace radosload::cli {

class DrawnLines {
 public:
  DrawnLines() = default;
  ~DrawnLines() { wipe(); }
  DrawnLines(const DrawnLines&) = delete;
  DrawnLines& operator=(const DrawnLines&) = delete;
  DrawnLines(DrawnLines&&) = delete;
  DrawnLines& operator=(DrawnLines&&) = delete;

  // Replaces the lines drawn before.
  void show(const std::vector<std::string>& lines);
  // Removes them from the terminal.
  void wipe();

 private:
  std::string wiping() const;
  std::size_t m_drawn = 0;
};

}  // namespace radosload::cli
