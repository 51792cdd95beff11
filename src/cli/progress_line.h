// Shows the progress of a command on stderr: one line that is redrawn on a terminal, or else a line
// every five seconds.
#pragma once

#include <chrono>
#include <string>

namespace radosload::cli {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ProgressLine(ProgressLine&&) = delete;
  ProgressLine& operator=(ProgressLine&&) = delete;

  // Shows at most five texts a second on a terminal, otherwise one every five seconds.
  void show(const std::string& text);
  // Shows the text in any case.
  void say(const std::string& text);
  // Removes the line from the terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool m_terminal;
  bool m_shown = false;
  Clock::time_point m_last = Clock::now();
};

}  // namespace radosload::cli
