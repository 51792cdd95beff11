#include "record/packing.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <zlib.h>

namespace radosload::record {

namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 0xff;

// By letter.
constexpr std::array<std::uint8_t, 256> digits = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    values.at(static_cast<unsigned char>(alphabet[i])) = static_cast<std::uint8_t>(i);
  }
  return values;
}();

}  // namespace

std::string to_base64(std::span<const unsigned char> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    const std::uint32_t group = static_cast<std::uint32_t>(bytes[i]) << 16U |
                                (left > 1 ? static_cast<std::uint32_t>(bytes[i + 1]) << 8U : 0U) |
                                (left > 2 ? bytes[i + 2] : 0U);
    text += alphabet[group >> 18U];
    text += alphabet[group >> 12U & 63U];
    text += left > 1 ? alphabet[group >> 6U & 63U] : '=';
    text += left > 2 ? alphabet[group & 63U] : '=';
  }
  return text;
}

std::optional<std::vector<unsigned char>> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  while (text.ends_with('=')) text.remove_suffix(1);
  std::vector<unsigned char> bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  unsigned have = 0;
  for (const char letter : text) {
    const std::uint8_t digit = digits[static_cast<unsigned char>(letter)];
    if (digit == no_digit) return std::nullopt;
    bits = (bits << 6U | digit) & 0xffffU;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes.push_back(static_cast<unsigned char>(bits >> have));
  }
  return bytes;
}

std::string packed(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::vector<unsigned char> bytes(size);
  compress2(bytes.data(), &size, reinterpret_cast<const unsigned char*>(text.data()), text.size(),
            Z_DEFAULT_COMPRESSION);
  return to_base64(std::span(bytes).first(size));
}

std::optional<std::string> unpacked(std::string_view text, std::size_t most) {
  auto bytes = from_base64(text);
  if (!bytes) return std::nullopt;
  // The stream does not tell its length: a larger and larger buffer, so that a short text cannot
  // make us take all of it at once.
  for (std::size_t room = std::min(most, 1024 + bytes->size() * 8);;
       room = std::min(most, room * 4)) {
    std::string plain(room, '\0');
    uLongf size = room;
    const int result = uncompress(reinterpret_cast<unsigned char*>(plain.data()), &size,
                                  bytes->data(), bytes->size());
    if (result == Z_OK) {
      plain.resize(size);
      return plain;
    }
    if (result != Z_BUF_ERROR || room == most) return std::nullopt;
  }
}

}  // namespace radosload::record
