// The file of an HTML report: checked before the measurement, and written completely or not at all.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"

namespace radosload::cli {

struct HtmlFile {
  std::string path;
  bool overwrite = false;
  std::string option;  // the option that named the file, for hints: "-o", "--html"
};

// Refuses an ending other than .html, a place that cannot be written to, and an existing file that
// must not be replaced. Leaves no file.
Status check_html(const HtmlFile& file);
Status write_html(const HtmlFile& file, std::string_view page);

}  // namespace radosload::cli
