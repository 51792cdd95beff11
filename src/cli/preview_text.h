// How the preview of a run is shown to people and to scripts. Pure.
#pragma once

#include <string>

#include "run/preview.h"

namespace radosload::cli {

std::string preview_text(const run::Preview& preview);
// {schema: "radosload.preview/1", ...}
std::string preview_json(const run::Preview& preview);

}  // namespace radosload::cli
