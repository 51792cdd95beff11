// Describes a read that returned wrong content.
#pragma once

#include <string>

#include "engine/engine.h"

namespace radosload::run {

// `object` names the one that was read.
std::string finding_text(const engine::Finding& finding, const std::string& object);

}  // namespace radosload::run
