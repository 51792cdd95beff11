// When to tell of a history that cannot be written: once, and again when it is whole again.
//
// On a disk that is all but full a short line fits where a longer one did not. So only a row of
// written lines shows that there is space.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "radosload/result.h"

namespace radosload::probe {

class MissingLines {
 public:
  static constexpr std::uint64_t lines_that_show_space = 10;

  // What to tell after this line, if anything.
  std::optional<std::string> note(const Status& written);

 private:
  std::uint64_t m_missing = 0;  // since it was told; 0: all is well
  std::uint64_t m_written = 0;  // since the last missing one
};

}  // namespace radosload::probe
