// Charts of a run over time that can be zoomed, for browsers that run scripts; others show the
// pictures beneath them. The script is dygraphs, as Debian ships it, and ours (charts.js). Pure,
// and internal to the room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "html/buckets.h"
#include "report/timeline_picture.h"

namespace radosload::html {

// An empty element from whose attributes the script draws (HTML); numbers only.
std::string chart_element(const Buckets& buckets, const std::vector<report::Mark>& marks);

// Whether the page needs the script.
bool has_charts(std::string_view body);
// Written at build time (embed_charts.py): the script, the source that a Content-Security-Policy
// permits it by ("'sha256-...'"), and what dygraphs adds to the style.
std::string_view chart_script();
std::string_view chart_script_source();
std::string_view chart_style();

}  // namespace radosload::html
