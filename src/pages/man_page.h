// Man pages in roff's man macros: one for the program, one for each command, one for config files.
#pragma once

#include <string>
#include <vector>

#include "pages/declared.h"

namespace radosload::pages {

struct Page {
  std::string file;  // "radosload-run.1"
  std::string text;
};

std::vector<Page> man_pages(const Program& program);

}  // namespace radosload::pages
