// Describes a read that returned wrong content.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "engine/engine.h"

namespace radosload::run {

// The name of an object, by its number in an Op; for any number, since wrong content may hold any.
using ObjectName = std::function<std::string(std::uint64_t)>;

std::string finding_text(const engine::Finding& finding, const ObjectName& object_name);

}  // namespace radosload::run
