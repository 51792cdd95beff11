// The one way to read JSON that radosload has not just made itself: a document that is nested too
// deeply is refused, since the library descends into it by recursion when it copies or prints it.
#pragma once

#include <cstddef>
#include <string_view>

#include "radosload/result.h"

#include <nlohmann/json.hpp>

namespace radosload {

// Records and Ceph's answers have ten levels at most.
inline constexpr std::size_t deepest_json = 100;

// The error's reason says what is wrong; what was read, and from where, is the caller's to add.
Result<nlohmann::json> read_json(std::string_view text);
// With its keys in the order in which they stand there.
Result<nlohmann::ordered_json> read_ordered_json(std::string_view text);

}  // namespace radosload
