// Lines at the end of a terminal on stderr that are drawn over themselves. How many lines fit is
// for the caller to see to: what has scrolled out of the screen cannot be drawn over.
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

  // In place of those that are there.
  void show(const std::vector<std::string>& lines);
  // Removes them from the terminal.
  void wipe();

 private:
  std::string wiping() const;
  std::size_t m_drawn = 0;
};

}  // namespace radosload::cli
