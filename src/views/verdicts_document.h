// Internal to this room: the JSON of verdicts as a part of other documents.
#pragma once

#include "views/verdicts.h"

#include <nlohmann/json.hpp>

namespace radosload::views {

nlohmann::ordered_json verdicts_document(const Verdicts& verdicts);

}  // namespace radosload::views
