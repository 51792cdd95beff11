// How text for people is drawn: how wide, and with which characters. What it says never depends on
// it. The command line finds out what stdout can show; tests name what they want.
#pragma once

#include <cstddef>

namespace radosload::report {

struct Style {
  std::size_t columns = 80;  // of the terminal; pictures fill it
  bool unicode = false;      // block characters in pictures; else ASCII
};

}  // namespace radosload::report
