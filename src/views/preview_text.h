// The text and the JSON of --dry-run. Pure.
#pragma once

#include <string>

#include "prepare/preview.h"

namespace radosload::views {

std::string preview_text(const prepare::Preview& preview);
// {schema: "radosload.preview/1", ...}
std::string preview_json(const prepare::Preview& preview);

}  // namespace radosload::views
