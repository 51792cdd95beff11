// Bytes as text, and texts made short: base64, and deflate (RFC 1950) in base64. Knows nothing of
// what they are.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace radosload::record {

std::string to_base64(std::span<const unsigned char> bytes);
// Nothing for a text that is not base64.
std::optional<std::vector<unsigned char>> from_base64(std::string_view text);

std::string packed(std::string_view text);
// The reverse; nothing for a damaged text, and for one that is longer than `most`, of which no more
// than that is unpacked.
std::optional<std::string> unpacked(std::string_view text, std::size_t most);

}  // namespace radosload::record
