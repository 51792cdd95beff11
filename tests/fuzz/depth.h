// Depth is a dimension of its own: it takes more levels than an input has bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace radosload::fuzz {

// The document behind the first two bytes, which say how many levels each null in it stands for.
// Nothing when it would get larger than a fuzzer has time for.
inline std::optional<std::string> deepened(std::string_view input) {
  constexpr std::size_t largest = 1'000'000;
  if (input.size() < 2) return std::nullopt;
  const auto byte = [input](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(input[i]));
  };
  const std::size_t levels = byte(0) * 256 + byte(1);
  const std::string nested = std::string(levels, '[') + std::string(levels, ']');
  constexpr std::string_view null = "null";
  std::string document(input.substr(2));
  for (std::size_t at = 0; (at = document.find(null, at)) != std::string::npos;) {
    document.replace(at, null.size(), nested);
    at += nested.size();
    if (document.size() > largest) return std::nullopt;
  }
  return document;
}

// An input whose first byte chooses what is read. Behind a `deep`, the second byte chooses it, and
// the next two say how deep the document is.
template <typename ReadAs>
int read_by_letter(std::string_view input, char deep, const ReadAs& read_as) {
  if (input.empty()) return 0;
  if (input.front() == deep && input.size() > 1) {
    if (const auto document = deepened(input.substr(2))) read_as(input[1], *document);
  } else {
    read_as(input.front(), std::string(input.substr(1)));
  }
  return 0;
}

}  // namespace radosload::fuzz
