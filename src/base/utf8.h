// Whether bytes are text.
#pragma once

#include <cstddef>
#include <string_view>

namespace radosload {

// How many bytes from the start are UTF-8; all of them if the text is.
std::size_t utf8_prefix(std::string_view text);

}  // namespace radosload
