#include "probe/missing_lines.h"

#include <utility>

#include <fmt/format.h>

namespace radosload::probe {

std::optional<std::string> MissingLines::note(const Status& written) {
  if (!written) {
    m_written = 0;
    return ++m_missing == 1 ? std::optional(written.error().message()) : std::nullopt;
  }
  if (m_missing == 0 || ++m_written < lines_that_show_space) return std::nullopt;
  return fmt::format("the history is written again; missing lines: {}",
                     std::exchange(m_missing, 0));
}

}  // namespace radosload::probe
