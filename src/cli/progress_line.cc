#include "cli/progress_line.h"

#include <cstdio>
#include <unistd.h>

#include <fmt/core.h>

namespace radosload::cli {

ProgressLine::ProgressLine() : m_terminal(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const std::string& text) {
  const auto pause = m_terminal ? std::chrono::milliseconds(200) : std::chrono::seconds(5);
  if (Clock::now() - m_last >= pause) say(text);
}

void ProgressLine::say(const std::string& text) {
  m_last = Clock::now();
  if (!m_terminal) {
    fmt::print(stderr, "{}\n", text);
    return;
  }
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  m_shown = true;
}

void ProgressLine::clear() {
  if (m_shown) fmt::print(stderr, "\r\033[K");
  m_shown = false;
}

}  // namespace radosload::cli
