#include "cli/progress_line.h"

#include <unistd.h>

#include "base/log.h"
#include "cli/output.h"

namespace radosload::cli {

namespace {

// Moves to the beginning of the line, and clears everything from there on.
constexpr std::string_view start_anew = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine()
    : m_terminal(::isatty(STDERR_FILENO) == 1 && !base::logs_to_stderr()) {}

void ProgressLine::show(const std::string& text) {
  const auto pause = m_terminal ? std::chrono::milliseconds(200) : std::chrono::seconds(5);
  if (Clock::now() - m_last >= pause) say(text);
}

void ProgressLine::say(const std::string& text) {
  m_last = Clock::now();
  if (!m_terminal) {
    tell(text + "\n");
    return;
  }
  draw(start_anew, text);
  m_shown = true;
}

void ProgressLine::clear() {
  if (m_shown) draw(start_anew, "");
  m_shown = false;
}

}  // namespace radosload::cli
