#include "cli/options/config_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace radosload::cli {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// A # starts a comment only at the beginning of a line or after a blank, because names may contain
// one.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins = line[i] == '#' || (line[i] == ';' && i == 0);
    if (begins && (i == 0 || blanks.find(line[i - 1]) != std::string_view::npos)) {
      return line.substr(0, i);
    }
  }
  return line;
}

// Cephx keys are 28 bytes in base64 that start with the same bytes.
bool holds_a_key(std::string_view line) {
  constexpr std::size_t digits = 38;
  const auto is_digit = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '/';
  };
  for (std::size_t at = line.find("AQ"); at != std::string_view::npos;
       at = line.find("AQ", at + 1)) {
    const std::string_view rest = line.substr(at);
    if (rest.size() < digits + 2 || rest.substr(digits, 2) != "==") continue;
    if (std::all_of(rest.begin(), rest.begin() + digits, is_digit)) return true;
  }
  return false;
}

bool names_a_secret(std::string_view key) {
  constexpr std::array<std::string_view, 6> names = {"key",        "secret",     "password",
                                                     "passphrase", "secret-key", "secret_key"};
  return std::find(names.begin(), names.end(), key) != names.end();
}

// Does not repeat the line, because messages may end up in logs.
Error secret_error(const ConfigEntry& entry) {
  return config_error(entry, "the line contains a secret",
                      "keep secrets in a keyring, and name it with keyring = FILE");
}

// Checks the form of the entry, not its meaning.
Status check_form(const ConfigEntry& entry, const std::vector<ConfigEntry>& before) {
  if (entry.section.empty()) {
    return fail(config_error(entry, fmt::format("'{}' is before the first section", entry.key),
                             "put a section before it, for example [run]"));
  }
  if (names_a_secret(entry.key)) return fail(secret_error(entry));
  if (entry.value.empty()) {
    return fail(config_error(entry, fmt::format("'{}' has no value", entry.key),
                             "give it a value, or remove the line"));
  }
  for (const ConfigEntry& other : before) {
    if (other.section == entry.section && other.key == entry.key) {
      return fail(config_error(entry,
                               fmt::format("'{}' is already set in line {}", entry.key, other.line),
                               "remove one of the lines"));
    }
  }
  return {};
}

}  // namespace

std::string ConfigEntry::where() const {
  return fmt::format("{}:{}", file, line);
}

Error config_error(const ConfigEntry& entry, std::string reason, std::string hint) {
  return {.attempt = "use",
          .subject = entry.where(),
          .reason = std::move(reason),
          .hint = std::move(hint),
          .exit = Exit::usage};
}

Result<std::vector<ConfigEntry>> parse_config(std::string_view text, const std::string& file) {
  std::vector<ConfigEntry> entries;
  ConfigEntry entry{.section = {}, .key = {}, .value = {}, .file = file};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(without_comment(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++entry.line;
    if (line.empty()) continue;
    if (holds_a_key(line)) return fail(secret_error(entry));
    if (line.starts_with('[') && line.ends_with(']')) {
      entry.section = trimmed(line.substr(1, line.size() - 2));
      continue;
    }
    const std::size_t equals = line.find('=');
    entry.key = trimmed(line.substr(0, std::min(equals, line.size())));
    if (equals == std::string_view::npos || entry.key.empty()) {
      return fail(config_error(entry,
                               fmt::format("'{}' is not a section and not key = value", line),
                               "write [section], key = value, or # comment"));
    }
    entry.value = trimmed(line.substr(equals + 1));
    RADOSLOAD_TRY(check_form(entry, entries));
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace radosload::cli
