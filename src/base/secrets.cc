#include "base/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace radosload::base {

namespace {

constexpr std::string_view replacement = "[removed]";
constexpr std::size_t key_length = 40;

bool is_base64(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '+' || letter == '/';
}

bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-';
}

bool begins_with_key(std::string_view text) {
  if (text.size() < key_length || !text.starts_with("AQ")) return false;
  const std::string_view body = text.substr(0, key_length - 2);
  return text.substr(key_length - 2, 2) == "==" && std::all_of(body.begin(), body.end(), is_base64);
}

// luks-passphrase is an option that names a file.
bool names_secret(std::string_view name) {
  constexpr std::array<std::string_view, 4> secret = {"key", "secret", "password", "passphrase"};
  const std::size_t begin = name.find_first_not_of('-');
  if (begin == std::string_view::npos) return false;
  name.remove_prefix(begin);
  return std::any_of(secret.begin(), secret.end(), [name](std::string_view word) {
    return name == word || (name.ends_with(word) && name[name.size() - word.size() - 1] == '_');
  });
}

std::size_t skip(std::string_view text, std::size_t at, std::string_view letters) {
  return std::min(text.find_first_not_of(letters, at), text.size());
}

// Where the value behind a name begins; nothing (npos) when none follows.
std::size_t value_behind(std::string_view text, std::size_t at, bool option) {
  const std::size_t end_of_name = skip(text, at, R"(\"')");
  const std::size_t sign = skip(text, end_of_name, " \t");
  const bool assigned = sign < text.size() && (text[sign] == '=' || text[sign] == ':');
  if (!assigned && !(option && sign > end_of_name)) return std::string_view::npos;
  return skip(text, assigned ? skip(text, sign + 1, " \t") : sign, R"(\"')");
}

std::size_t end_of_value(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of(" \t\r\n\"'\\,;}", at), text.size());
}

}  // namespace

std::string without_secrets(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    const bool first = at == 0 || !is_word(text[at - 1]);
    // Not in the middle of longer base64, such as a histogram's.
    if ((at == 0 || !is_base64(text[at - 1])) && begins_with_key(text.substr(at))) {
      kept += replacement;
      at += key_length;
      continue;
    }
    if (!first || !is_word(text[at])) {
      kept += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view name = text.substr(at, end - at);
    const std::size_t value =
        names_secret(name) ? value_behind(text, end, name.starts_with("--")) : std::string::npos;
    if (value == std::string_view::npos || value == end_of_value(text, value)) {
      kept += text[at++];
      continue;
    }
    kept += text.substr(at, value - at);
    kept += replacement;
    at = end_of_value(text, value);
  }
  return kept;
}

}  // namespace radosload::base
