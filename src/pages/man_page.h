// Man pages in roff's man macros: one for the program, one for each command, and one for each topic
// that has a page (patterns, pinning, config files, formats).
#pragma once

#include <string>
#include <vector>

#include "cli/declared.h"

namespace radosload::pages {

struct Page {
  std::string file;  // "radosload-run.1", "radosload-patterns.7"
  std::string text;
};

std::vector<Page> man_pages(const cli::Program& program);

}  // namespace radosload::pages
