// The file of an HTML report: checked before there is anything to write, and written whole or not
// at all.
#pragma once

#include <string>
#include <string_view>

#include "radosload/result.h"

namespace radosload::cli {

struct HtmlFile {
  std::string path;
  bool overwrite = false;
  std::string option;  // that named it, for hints: "-o", "--html"
};

// Refuses another ending than .html, a place that cannot be written, and a file that exists and may
// not be replaced. Leaves no file.
Status check_html(const HtmlFile& file);
Status write_html(const HtmlFile& file, std::string_view page);

}  // namespace radosload::cli
