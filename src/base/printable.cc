#include "radosload/printable.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/utf8.h"

#include <fmt/format.h>

namespace radosload {

namespace {

struct Decoded {
  char32_t point = 0;
  std::size_t length = 0;  // 0: no UTF-8
};

struct Range {
  char32_t first;
  char32_t last;
};

// Controls, and invisible characters that change how the text around them is shown.
constexpr std::array<Range, 12> unsafe = {{{0x00, 0x1f},
                                           {0x7f, 0x9f},
                                           {0xad, 0xad},
                                           {0x61c, 0x61c},
                                           {0x180e, 0x180e},
                                           {0x200b, 0x200f},
                                           {0x2028, 0x202e},
                                           {0x2060, 0x206f},
                                           {0xfeff, 0xfeff},
                                           {0xfff9, 0xfffb},
                                           {0x1d173, 0x1d17a},
                                           {0xe0000, 0xe007f}}};

constexpr char32_t first_of_two_units = 0x10000;

std::uint8_t byte_at(std::string_view text, std::size_t i) {
  return static_cast<std::uint8_t>(text[i]);
}

// The bytes that may follow each first byte are those of Unicode's table 3-7: no overlong forms, no
// surrogates, nothing beyond U+10FFFF.
Decoded decode(std::string_view text) {
  constexpr unsigned payload = 0x3f;
  constexpr unsigned bits = 6;
  const std::uint8_t first = byte_at(text, 0);
  if (first < 0x80) return {first, 1};
  std::size_t length = 0;
  if (first >= 0xc2 && first <= 0xdf) length = 2;
  if (first >= 0xe0 && first <= 0xef) length = 3;
  if (first >= 0xf0 && first <= 0xf4) length = 4;
  if (length == 0 || text.size() < length) return {};
  std::uint8_t lowest = 0x80;
  std::uint8_t highest = 0xbf;
  if (first == 0xe0) lowest = 0xa0;
  if (first == 0xed) highest = 0x9f;
  if (first == 0xf0) lowest = 0x90;
  if (first == 0xf4) highest = 0x8f;
  char32_t point = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const std::uint8_t next = byte_at(text, i);
    if (next < lowest || next > highest) return {};
    point = (point << bits) | (next & payload);
    lowest = 0x80;
    highest = 0xbf;
  }
  return {point, length};
}

bool is_unsafe(char32_t point) {
  return std::any_of(unsafe.begin(), unsafe.end(), [point](const Range& range) {
    return point >= range.first && point <= range.last;
  });
}

std::string escape_of(char32_t point) {
  if (point < first_of_two_units) return fmt::format("\\u{:04x}", static_cast<unsigned>(point));
  const unsigned offset = point - first_of_two_units;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xd800U + (offset >> 10U), 0xdc00U + (offset & 0x3ffU));
}

bool plain(char c) {
  return c >= ' ' && c <= '~';
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto* const end = std::find_if_not(text.begin(), text.end(), plain);
    const auto length = static_cast<std::size_t>(end - text.begin());
    shown += text.substr(0, length);
    text.remove_prefix(length);
    if (text.empty()) break;
    const Decoded next = decode(text);
    const std::size_t taken = std::max<std::size_t>(next.length, 1);
    if (next.length == 0) {
      shown += fmt::format("\\x{:02x}", byte_at(text, 0));
    } else if (is_unsafe(next.point) && kept.find(text.front()) == std::string_view::npos) {
      shown += escape_of(next.point);
    } else {
      shown += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
  return shown;
}

}  // namespace

std::size_t utf8_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = decode(text.substr(at)).length;
    if (length == 0) break;
    at += length;
  }
  return at;
}

std::string printable(std::string_view name) {
  return escaped(name, "");
}

std::string printable_lines(std::string_view text) {
  return escaped(text, "\n\t");
}

}  // namespace radosload
