// How text for people is drawn: its width and its characters. The style never changes the content.
// The command line finds out what stdout can show; tests set the style.
#pragma once

#include <cstddef>

namespace radosload::report {

struct Style {
  std::size_t columns = 80;  // of the terminal; pictures fill it
  bool unicode = false;      // block characters in pictures; else ASCII
};

}  // namespace radosload::report
