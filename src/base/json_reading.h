// Parses JSON from files and from Ceph, and refuses documents that are nested too deeply: the
// library recurses into them when it copies or prints, and would overflow the stack.
#pragma once

#include <cstddef>
#include <string_view>

#include "radosload/result.h"

#include <nlohmann/json.hpp>

namespace radosload {

// Records and Ceph's answers have ten levels at most.
inline constexpr std::size_t deepest_json = 100;

// The error has only the reason; the caller adds what was read and from where.
Result<nlohmann::json> read_json(std::string_view text);
// Keeps the keys in the order of the document.
Result<nlohmann::ordered_json> read_ordered_json(std::string_view text);

}  // namespace radosload
